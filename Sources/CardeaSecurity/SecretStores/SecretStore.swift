/// Stores a person's secrets between two runs: each under a name, one value to a name.
public protocol SecretStore: Sendable {
    /// The level of protection, with a hint for the person if it could be better.
    var protection: ProtectionLevel { get }

    /// Stores `secret` under `name`, replacing an earlier one.
    func save(_ secret: Secret, as name: String, for use: SecretAvailability) async throws(SecretStoreError)

    /// - Throws: `.notFound` only if the store was open to look and the name is not there.
    func load(_ name: String) async throws(SecretStoreError) -> Secret

    /// Deletes the secret under `name`; a missing one is not an error.
    func delete(_ name: String) async throws(SecretStoreError)
}

/// When a secret is needed. Apple's Keychain opens it by this; a keyring of a Linux desktop is open or not as a whole.
public enum SecretAvailability: Hashable, Sendable {
    /// Without the person, as for renewing a session: once the device was unlocked after its start.
    case background
    /// Only while the person is present, as for an owner's actions: while the device is unlocked.
    case attended
}

/// The protection of a store's secrets.
public enum ProtectionLevel: Hashable, Sendable {
    /// The system keeps them, and opens them to this person only.
    case full
    /// Less than that; the sentences explain the risk and how to improve it.
    case reduced(String)
}
