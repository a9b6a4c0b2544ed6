import Foundation

/// The choice among the places where secrets may lie.
public enum SecretStoreSelection {
    /// The name under which the Keychain and a keyring know whose secrets they are.
    static let service = "cardea"

    /// The best there is here: the Keychain, or a desktop's keyring, or else a sealed file in `folder`.
    ///
    /// A keyring that is there and locked counts: secrets that went elsewhere meanwhile would be in two places. Whoever gets a store whose
    /// `protection` is reduced says so to the person before the first secret goes there.
    ///
    /// - Parameter patience: how long a keyring may take over one call.
    public static func best(
        folder: URL, environment: [String: String] = ProcessInfo.processInfo.environment, patience: Duration = .seconds(10)
    ) async -> any SecretStore {
        #if canImport(Security)
            return KeychainStore()
        #else
            let keyring = SecretServiceStore(environment: environment, patience: patience)
            let file = SealedFileStore(folder: folder, environment: environment)
            do {
                try await keyring.check()
            } catch {
                return file
            }
            // What went into the file while no keyring answered. What does not go over now, as into a locked one, goes the next time.
            try? await file.migrate(to: keyring)
            return keyring
        #endif
    }
}
