import CardeaSecurity
import Crypto
import Foundation

/// The private key that opens backups.
public struct BackupKey: Sendable {
    let key: Curve25519.KeyAgreement.PrivateKey

    public init(_ recovery: RecoveryKey) { key = recovery.privateKey }

    /// The key that a passphrase makes: Argon2id's 32 bytes are taken for a key of X25519 (RFC 7748, section 5, has any 32 bytes be one).
    /// It blocks for the better part of a second.
    public init(passphrase: Secret, recipe: PasswordKeyDerivation) throws {
        key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: recipe.bytes(of: passphrase))
    }

    /// The key with that fingerprint, by whichever form of the passphrase makes it. Each form takes as long as the first.
    ///
    /// - Parameter forms: see `OpaqueString.candidates`.
    /// - Throws: `ArchiveError.wrongPassphrase` if none of them makes it.
    init(passphrase forms: [Secret], recipe: PasswordKeyDerivation, fingerprint: String) throws {
        for form in forms {
            let made = try BackupKey(passphrase: form, recipe: recipe)
            guard made.fingerprint != fingerprint else {
                self = made
                return
            }
        }
        throw ArchiveError.wrongPassphrase
    }

    /// A recipient for a passphrase, with a salt of its own, and the key to it.
    ///
    /// - Throws: `OpaqueString.OpaqueStringError` if the passphrase has an invisible character.
    public static func make(passphrase: Secret) throws -> (lock: BackupRecipient, key: BackupKey) {
        let recipe = PasswordKeyDerivation.random()
        let key = try BackupKey(passphrase: OpaqueString.prepared(passphrase), recipe: recipe)
        return (BackupRecipient(key, recipe: recipe), key)
    }

    var fingerprint: String { BackupRecipient.fingerprint(of: key.publicKey.rawRepresentation) }

    var authentication: BackupAuthenticationKey { BackupAuthenticationKey(of: key) }
}
