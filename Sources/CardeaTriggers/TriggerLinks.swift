import CardeaSecurity
import Foundation

/// Makes and checks the links that fire an action: `smp://action?idx=&ts=&sig=` (Seed 002, items 5 to 9 and 24 to 27).
///
/// A link is good for two minutes and once. On a tag, which cannot count the time, it is dead two minutes after it was written: tags that last need a
/// house, and `client.tags`.
public struct TriggerLinks: Sendable {
    /// The links that were used, until their time would have passed anyway.
    private var used: [Data: Int64] = [:]

    public init() {}

    /// Why a link fires nothing.
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
        /// The button has nothing to publish.
        case emptyTopic = "MQTT topic empty"
    }

    /// 32 random octets in 64 hexadecimal digits.
    public static func newSecret() -> Secret { ButtonSecret.make().hex }

    /// A link for an action, signed with its secret; one is made where there is none.
    ///
    /// - Returns: nil where there is no such action.
    public static func link(for index: Int, in settings: inout TriggerSettings, at now: Date) -> Secret? {
        guard settings.actions.indices.contains(index) else { return nil }
        if !settings.actions[index].isConfigured { settings.actions[index].nfcSecret = newSecret() }
        return settings.actions[index].signing.map { link(index, $0, at: now) }
    }

    static func link(_ index: Int, _ secret: ButtonSecret, at now: Date) -> Secret {
        Secret("\(LiveLink.scheme)://action?\(LiveLink.query(index: index, at: now, secret).reveal())")
    }

    /// Judges a link, and uses it up.
    ///
    /// - Returns: the number of the action that it fires.
    public mutating func take(_ text: String, _ settings: TriggerSettings, at now: Date) throws(Refusal) -> Int {
        guard settings.answersTags else { throw .off }
        let link: LiveLink
        do { link = try LiveLink(text) } catch { throw .malformed }
        guard let action = settings.action(link.index) else { throw .unknown }
        guard let secret = action.signing else { throw .notConfigured }
        do {
            try link.check(secret, at: now)
        } catch {
            throw error == .stale ? .stale : .forged
        }
        guard !action.topic.isEmpty else { throw .emptyTopic }
        let second = Int64(now.timeIntervalSince1970)
        // Two tolerances, so that no clock that is set back finds one forgotten.
        used = used.filter { $0.value >= second - 2 * LiveLink.tolerance }
        guard used.updateValue(link.timestamp, forKey: link.digest) == nil else { throw .used }
        return link.index
    }
}
