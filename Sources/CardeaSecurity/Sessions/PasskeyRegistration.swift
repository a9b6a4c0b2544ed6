import Crypto
import Foundation

/// A passkey that was just made (WebAuthn Level 3, section 7.1).
public struct PasskeyRegistration: Sendable {
    public let credentialID: Data
    public let publicKey: Data
    public let algorithm: Int
    public let signCount: UInt32
    public let aaguid: Data
    public let isBackupEligible: Bool
    public let isBackedUp: Bool
    public let isUserVerified: Bool

    public init(clientDataJSON: Data, attestationObject: Data, expected: PasskeyExpectation) throws(PasskeyError) {
        try ClientData.read(clientDataJSON, "webauthn.create", expected)
        let object: CBOR
        do { object = try CBOR.decode(attestationObject) } catch { throw .malformed }
        guard case .map(let members) = object, members.count == 3, let bytes = object["authData"]?.data, let statement = object["attStmt"],
            case .text(let format)? = object["fmt"]
        else { throw .malformed }
        let data = try AuthenticatorData(bytes)
        try data.check(expected)
        guard let attested = data.attested else { throw .malformed }
        let signed = bytes + Data(SHA256.hash(data: clientDataJSON))
        try Self.check(format, statement, signed: signed, by: attested.key)
        credentialID = attested.credentialID
        publicKey = attested.keyBytes
        algorithm = attested.key.algorithm
        signCount = data.signCount
        aaguid = attested.aaguid
        isBackupEligible = data.flags.contains(.backupEligible)
        isBackedUp = data.flags.contains(.backedUp)
        isUserVerified = data.flags.contains(.userVerified)
    }

    /// Refuses unverified attestation. The hub asks for none, and browsers then send none, or the passkey's own signature. Any other
    /// statement is a manufacturer's, which the hub cannot verify; it must not look like a verified one.
    private static func check(_ format: String, _ statement: CBOR, signed: Data, by key: COSEKey) throws(PasskeyError) {
        guard case .map(let members) = statement else { throw .malformed }
        switch format {
        case "none": guard members.isEmpty else { throw .malformed }
        case "packed":
            guard members.count == 2, let signature = statement["sig"]?.data, let algorithm = statement["alg"] else {
                throw .unsupportedAttestation
            }
            guard algorithm == CBOR(Int64(key.algorithm)) else { throw .malformed }
            guard key.isValid(signature, for: signed) else { throw .wrongSignature }
        default: throw .unsupportedAttestation
        }
    }
}
