import CardeaSecurity
import Foundation

/// Writes a tag in two phases, so that a half-written tag never makes the old one worthless: the new secret is kept as pending, written,
/// read back, and only then takes the old one's place (Seed 002, item 20 and hole 11).
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
        let existing = try await writer.write(link, asking: Self.prompt)
        guard constantTimeEquals(Data(existing.utf8), Data(link.reveal().utf8)) else { throw TagWritingError.notReadBack }
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

    /// At the start of an app: a tag that was being written when the app ended was never read back.
    public static func discardPendingSecrets(_ settings: inout TriggerSettings) {
        for index in settings.actions.indices { settings.actions[index].pendingSecret = nil }
    }
}
