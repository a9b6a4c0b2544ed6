import Foundation

/// The choice among the places where secrets may lie.
public enum SecretStoreSelection {
    /// The service name of the secrets in the Keychain and in a keyring.
    static let service = "cardea"

    /// Returns the best store on this machine: the Keychain, or a desktop's keyring, or else a sealed file in `folder`.
    ///
    /// A locked keyring counts as available: secrets saved elsewhere meanwhile would be in two places. A caller that gets a store with
    /// reduced `protection` must tell the person so before the first secret is saved.
    ///
    /// - Parameter timeout: the time that a keyring may take over one call.
    public static func best(
        folder: URL, environment: [String: String] = ProcessInfo.processInfo.environment, timeout: Duration = .seconds(10)
    ) async -> any SecretStore {
        #if canImport(Security)
            return KeychainStore()
        #else
            let keyring = SecretServiceStore(environment: environment, timeout: timeout)
            let file = SealedFileStore(folder: folder, environment: environment)
            do {
                try await keyring.check()
            } catch {
                return file
            }
            // Moves secrets that were stored in the file while the keyring did not answer. What cannot be moved now, as into a locked one,
            // moves the next time.
            try? await file.migrate(to: keyring)
            return keyring
        #endif
    }
}
