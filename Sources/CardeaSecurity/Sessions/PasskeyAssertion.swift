import Crypto
import Foundation

/// A passkey that was used (WebAuthn Level 3, section 7.2).
public struct PasskeyAssertion: Sendable {
    public let signCount: UInt32
    public let isBackedUp: Bool
    public let isUserVerified: Bool

    public init(
        clientDataJSON: Data, authenticatorData: Data, signature: Data, by stored: StoredPasskey, expected: PasskeyExpectation
    ) throws(PasskeyError) {
        try ClientData.read(clientDataJSON, "webauthn.get", expected)
        let data = try AuthenticatorData(authenticatorData)
        try data.check(expected)
        guard data.attested == nil else { throw .malformed }
        let signed = authenticatorData + Data(SHA256.hash(data: clientDataJSON))
        guard try COSEKey(bytes: stored.publicKey).isValid(signature, for: signed) else { throw .wrongSignature }
        guard data.flags.contains(.backupEligible) == stored.isBackupEligible else { throw .changedEligibility }
        // Checked last: only the holder of the key can show that there are two copies. A count of 0 on both sides means that none is kept.
        guard data.signCount > stored.signCount || (data.signCount == 0 && stored.signCount == 0) else { throw .cloned }
        signCount = data.signCount
        isBackedUp = data.flags.contains(.backedUp)
        isUserVerified = data.flags.contains(.userVerified)
    }

    /// The challenge that an answer names, before anything of it is verified.
    public static func challenge(in clientDataJSON: Data) -> Data? { ClientData.challenge(in: clientDataJSON) }
}
