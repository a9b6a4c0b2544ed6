import Crypto
import Foundation

/// What an answer must be about.
public struct PasskeyExpectation: Sendable {
    public let challenge: Data
    public let rpID: String
    public let origins: Set<String>
    /// Whether the authenticator must have checked who holds it, by fingerprint, face or PIN. It does for us: a passkey stands
    /// for name and password together.
    public let mustVerifyUser: Bool

    public init(challenge: Data, rpID: String, origins: Set<String>, mustVerifyUser: Bool = true) {
        self.challenge = challenge
        self.rpID = rpID
        self.origins = origins
        self.mustVerifyUser = mustVerifyUser
    }
}

/// Why an authenticator's answer is not taken.
public enum PasskeyError: Error, Hashable, Sendable, CaseIterable {
    case malformed
    case wrongType, wrongChallenge, wrongOrigin, crossOrigin, wrongRelyingParty
    case userNotPresent, userNotVerified
    case invalidKey, unsupportedAlgorithm, unsupportedAttestation
    case wrongSignature
    /// A passkey says now what it denied before: that it can be backed up, or that it cannot.
    case changedEligibility
    /// The count did not rise: somewhere there are two of it.
    case cloned
}

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

    /// We ask for no attestation, and browsers then send none, or the passkey's own signature. Everything else is a statement of some
    /// maker that we could not check, and a statement that nobody checked must not look like one that was: it is refused.
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

/// A passkey as it is kept.
public struct StoredPasskey: Sendable {
    public let publicKey: Data
    public let signCount: UInt32
    public let isBackupEligible: Bool

    public init(publicKey: Data, signCount: UInt32, isBackupEligible: Bool) {
        self.publicKey = publicKey
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
    }
}

/// A passkey that was used (WebAuthn Level 3, section 7.2).
public struct PasskeyAssertion: Sendable {
    public let signCount: UInt32
    public let isBackedUp: Bool
    public let isUserVerified: Bool

    public init(
        clientDataJSON: Data, authenticatorData: Data, signature: Data, by kept: StoredPasskey, expected: PasskeyExpectation
    ) throws(PasskeyError) {
        try ClientData.read(clientDataJSON, "webauthn.get", expected)
        let data = try AuthenticatorData(authenticatorData)
        try data.check(expected)
        guard data.attested == nil else { throw .malformed }
        let signed = authenticatorData + Data(SHA256.hash(data: clientDataJSON))
        guard try COSEKey(bytes: kept.publicKey).isValid(signature, for: signed) else { throw .wrongSignature }
        guard data.flags.contains(.backupEligible) == kept.isBackupEligible else { throw .changedEligibility }
        // Asked last: only whoever holds the key can say that there are two of it. A count of 0 on both sides means that none is kept.
        guard data.signCount > kept.signCount || (data.signCount == 0 && kept.signCount == 0) else { throw .cloned }
        signCount = data.signCount
        isBackedUp = data.flags.contains(.backedUp)
        isUserVerified = data.flags.contains(.userVerified)
    }

    /// The challenge that an answer says it is about, before anything of it is believed.
    public static func challenge(in clientDataJSON: Data) -> Data? { ClientData.challenge(in: clientDataJSON) }
}

extension AuthenticatorData {
    fileprivate func check(_ expected: PasskeyExpectation) throws(PasskeyError) {
        guard constantTimeEquals(rpIDHash, Data(SHA256.hash(data: Data(expected.rpID.utf8)))) else { throw .wrongRelyingParty }
        guard flags.contains(.userPresent) else { throw .userNotPresent }
        guard flags.contains(.userVerified) || !expected.mustVerifyUser else { throw .userNotVerified }
    }
}
