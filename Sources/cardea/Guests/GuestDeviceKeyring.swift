import CardeaClient
import CardeaSecurity
import Foundation

/// The keys of the passes that were taken here: each beside its token, or guarded by a PIN; on Apple's systems, by the system.
struct GuestDeviceKeyring {
    let context: CommandContext

    /// The prompt that the person at the terminal must confirm before every use.
    private static let reason = "Confirm guest access action"

    /// The key of a pass, released after the person at the terminal has shown that they may use it; nil for a pass that is bound to no key.
    func unlock(_ stored: StoredPass) async throws -> GuestKey? {
        guard let guarded = stored.guardedKey else { return stored.key.flatMap { GuestKey(encoded: $0.secret) } }
        let prompt = context.prompt
        let store = store(guarded) { _ in try prompt.secret("PIN") }
        guard let key = try await store.unlock(Self.reason) else {
            throw CommandLineError.refused("cancelled", "Not confirmed. Nothing was sent.")
        }
        return key
    }

    /// Stores a key behind a PIN.
    ///
    /// - Returns: the name under which it is stored.
    func save(_ key: GuestKey, behind pin: Secret) async throws -> String {
        try await store(key.deviceID) { _ in pin }.save(key)
        return key.deviceID
    }

    func delete(_ name: String) async throws {
        try await store(name) { _ in nil }.delete()
    }

    #if canImport(Security) && canImport(LocalAuthentication)
        private func store(_ name: String, ask: @escaping @Sendable (Question) async throws -> Secret?) -> some GuestKeyStore {
            KeychainGuestKeyStore(name: "guest-key \(name)")
        }

        private typealias Question = Void
    #else
        private func store(_ name: String, ask: @escaping @Sendable (PINQuestion) async throws -> Secret?) -> some GuestKeyStore {
            PINGuestKeyStore(file: context.credentialStore.folder.appendingPathComponent("keys/\(name).json"), ask: ask)
        }

        private typealias PINQuestion = PINGuestKeyStore.Prompt
    #endif
}
