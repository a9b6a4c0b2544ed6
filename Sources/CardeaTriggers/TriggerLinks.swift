import CardeaSecurity
import Foundation

/// Makes and checks the links that fire an action: `smp://action?idx=&ts=&sig=` (Seed 002, items 5 to 9 and 24 to 27).
///
/// A link is good for two minutes and once. On a tag, which cannot count the time, it is dead two minutes after it was written: tags that
/// last need a house, and `client.tags`.
public struct TriggerLinks: Sendable {
    /// To be stored before a link's action runs, and passed again at the next start of the app.
    public private(set) var used: UsedLinkStore

    /// - Parameter used: the links as they were last stored.
    public init(used: UsedLinkStore = UsedLinkStore()) {
        self.used = used
    }

    /// The reason why a link fires nothing.
    public enum Refusal: String, Error, Hashable, Sendable {
        /// Tags are switched off.
        case off = "tags are switched off"
        case malformed = "no link of a button"
        /// No button of that number.
        case unknown = "no such button"
        /// The button has no secret.
        case notConfigured = "not configured"
        case stale = "made more than two minutes ago, or by a clock that is ahead"
        case forged = "not made with this button's secret"
        case used = "used before"
        /// It could not be kept that it was used, so it might have fired twice.
        case useNotStored = "the use could not be kept"
        /// The button has nothing to publish.
        case emptyTopic = "MQTT topic empty"
    }

    /// 32 random octets in 64 hexadecimal digits.
    public static func newSecret() -> Secret { ButtonSecret.make().hex }

    /// A link for an action, signed with its secret; one is made if there is none.
    ///
    /// - Returns: nil if there is no such action.
    public static func link(for index: Int, in settings: inout TriggerSettings, at now: Date) -> Secret? {
        guard settings.actions.indices.contains(index) else { return nil }
        if !settings.actions[index].isConfigured { settings.actions[index].nfcSecret = newSecret() }
        return settings.actions[index].signingSecret.map { link(index, $0, at: now) }
    }

    static func link(_ index: Int, _ secret: ButtonSecret, at now: Date) -> Secret {
        Secret("\(SignedActionLink.scheme)://action?\(SignedActionLink.query(index: index, at: now, secret).reveal())")
    }

    /// Judges a link, and uses it up.
    ///
    /// - Returns: the number of the action that it fires.
    public mutating func redeem(_ text: String, _ settings: TriggerSettings, at now: Date) throws(Refusal) -> Int {
        guard settings.answersTags else { throw .off }
        let link: SignedActionLink
        do { link = try SignedActionLink(text) } catch { throw .malformed }
        guard let action = settings.action(link.index) else { throw .unknown }
        guard let secret = action.signingSecret else { throw .notConfigured }
        do {
            try link.check(secret, at: now)
        } catch {
            throw error == .stale ? .stale : .forged
        }
        guard !action.topic.isEmpty else { throw .emptyTopic }
        guard used.markUsed(link, at: now) else { throw .used }
        return link.index
    }
}
