import CardeaSecurity
import Crypto
import Foundation

/// The key to which a backup is sealed, and the one that authenticates it. It can seal and cannot open.
public struct BackupRecipient: Codable, Hashable, Sendable {
    /// X25519, 32 bytes.
    let publicKey: Data
    /// The derivation of the key from a passphrase; nil if it is the house's recovery key.
    let recipe: PasswordKeyDerivation?
    /// nil if the house does not have it: then a backup is not authenticated.
    let authentication: BackupAuthenticationKey?

    /// Sealed to the house's recovery key.
    ///
    /// - Parameter authentication: nil for a recovery key that was made before backups were authenticated.
    public init(recovery publicKey: Data, authentication: BackupAuthenticationKey?) {
        (self.publicKey, recipe, self.authentication) = (publicKey, nil, authentication)
    }

    init(_ key: BackupKey, recipe: PasswordKeyDerivation) {
        (publicKey, self.recipe, authentication) = (key.key.publicKey.rawRepresentation, recipe, key.authentication)
    }

    /// Distinguishes keys. It reveals nothing of the key.
    public var fingerprint: String { Self.fingerprint(of: publicKey) }

    /// The first eight bytes of its SHA-256, as hex.
    public static func fingerprint(of publicKey: Data) -> String { Hexadecimal.encode(Data(SHA256.hash(data: publicKey).prefix(8))) }
}
