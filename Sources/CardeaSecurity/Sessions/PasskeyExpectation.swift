import Crypto
import Foundation

/// The expected properties of a passkey's answer.
public struct PasskeyExpectation: Sendable {
    public let challenge: Data
    public let rpID: String
    public let origins: Set<String>
    /// True if the authenticator must have verified its user, by fingerprint, face or PIN. The hub requires it, because a passkey replaces
    /// name and password together.
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
