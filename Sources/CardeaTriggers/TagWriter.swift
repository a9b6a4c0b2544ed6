import CardeaSecurity
import Foundation

/// What writes and reads tags: a phone's reader, or a desk's.
public protocol TagWriter: Sendable {
    /// Whether this device has a reader at all; where it has none, nothing about tags is shown (Seed 002, item 28).
    static var isAvailable: Bool { get }

    /// Writes a link on the tag that is held to the reader, and reads back what it says then.
    ///
    /// - Parameters:
    ///   - words: what the person is asked to do, such as "Hold your iPhone near the NFC tag to configure it".
    func write(_ link: Secret, asking words: String) async throws(TagWritingError) -> String
}

public enum TagWritingError: Error, Hashable, Sendable {
    /// The person ended it; nothing is to be said about it (Seed 002, item 17).
    case cancelled
    /// The tag holds fewer octets than the link has.
    case tooSmall(capacity: Int)
    /// It is locked.
    case readOnly
    /// No tag, several tags, or one that went away.
    case lost
    /// What was read back is something else.
    case notReadBack
    /// The system's words.
    case reader(String)

    /// For an alert; nil where nothing is to be said.
    public var message: String? {
        switch self {
        case .cancelled: nil
        case .tooSmall: "Tag too small. Use NTAG215 or NTAG216."
        case .readOnly: "The tag is locked. Take another one."
        case .lost: "The tag went away. Hold it still and try again; what was configured before still works."
        case .notReadBack: "The tag does not say what was written. Try again; what was configured before still works."
        case .reader(let words): words
        }
    }
}

/// Writes a tag in two phases, so that a half-written tag never makes the old one worthless: the new secret is kept as pending, written, read back,
/// and only then takes the old one's place (Seed 002, item 20 and hole 11).
public struct TagConfigurator: Sendable {
    /// Keeps the settings, in a place for secrets. What it throws stops the writing before the tag is touched.
    public typealias StoreSettings = @Sendable (TriggerSettings) async throws -> Void

    public static let prompt = "Hold your iPhone near the NFC tag to configure it"
    public static let successMessage = "NFC tag configured successfully!"

    let writer: any TagWriter
    let store: StoreSettings
    let now: @Sendable () -> Date

    public init(writer: any TagWriter, now: @escaping @Sendable () -> Date = { Date() }, keep: @escaping StoreSettings) {
        self.writer = writer
        self.now = now
        self.store = keep
    }

    /// - Returns: the settings with the new secret, as they were kept.
    public func write(_ index: Int, _ settings: TriggerSettings) async throws -> TriggerSettings {
        var settings = settings
        guard settings.actions.indices.contains(index) else { throw TriggerLinks.Refusal.unknown }
        let made = ButtonSecret.make()
        settings.actions[index].pendingSecret = made.hex
        try await store(settings)
        let link = TriggerLinks.link(index, made, at: now())
        let said = try await writer.write(link, asking: Self.prompt)
        guard constantTimeEquals(Data(said.utf8), Data(link.reveal().utf8)) else { throw TagWritingError.notReadBack }
        settings.actions[index].nfcSecret = settings.actions[index].pendingSecret
        settings.actions[index].pendingSecret = nil
        try await store(settings)
        return settings
    }

    /// No tag fires the action any more; those that were written for it are worth nothing.
    public static func remove(_ index: Int, from settings: inout TriggerSettings) {
        guard settings.actions.indices.contains(index) else { return }
        (settings.actions[index].nfcSecret, settings.actions[index].pendingSecret) = (nil, nil)
    }

    /// At the start of an app: what was being written when it ended was never read back.
    public static func discardPendingSecrets(_ settings: inout TriggerSettings) {
        for index in settings.actions.indices { settings.actions[index].pendingSecret = nil }
    }
}
