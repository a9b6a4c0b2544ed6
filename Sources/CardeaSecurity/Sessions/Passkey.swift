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

extension AuthenticatorData {
    func check(_ expected: PasskeyExpectation) throws(PasskeyError) {
        guard constantTimeEquals(rpIDHash, Data(SHA256.hash(data: Data(expected.rpID.utf8)))) else { throw .wrongRelyingParty }
        guard flags.contains(.userPresent) else { throw .userNotPresent }
        guard flags.contains(.userVerified) || !expected.mustVerifyUser else { throw .userNotVerified }
    }
}
