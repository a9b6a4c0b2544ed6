import Crypto
import Foundation

/// The key that authenticates backups: without it no one can make one that a restore accepts as the house's own.
///
/// It is derived from the recovery key, or from the key that a passphrase makes, by HKDF (RFC 5869). The house keeps it sealed, so that the
/// database alone does not reveal it. Its descriptions print nothing of the key.
public struct BackupAuthenticationKey: Codable, Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let bytes: Data

    /// - Returns: nil for data that is not 32 bytes long.
    public init?(bytes: Data) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The one that belongs to the key that opens the backups.
    public init(of key: Curve25519.KeyAgreement.PrivateKey) {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key.rawRepresentation), info: Data("cardea backup authentication".utf8),
            outputByteCount: 32)
        bytes = derived.withUnsafeBytes { Data($0) }
    }

    /// As a preshared key of HPKE.
    public var presharedKey: SymmetricKey { SymmetricKey(data: bytes) }

    /// The key itself, for the one place that must keep it.
    public func reveal() -> Data { bytes }

    public var description: String { "[key]" }
    public var debugDescription: String { "[key]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RecoveryKey {
    /// The key that authenticates the backups that this key opens.
    public var backupAuthentication: BackupAuthenticationKey { BackupAuthenticationKey(of: privateKey) }
}
