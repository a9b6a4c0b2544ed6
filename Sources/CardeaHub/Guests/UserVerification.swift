import CardeaModel
import CardeaSecurity
import Foundation

/// By which a phone that takes a pass verifies its owner.
public enum UserVerification: Sendable {
    case none
    /// The phone gives the key that it sends out only to whom it has verified. It says so itself, and nobody can look: whoever lies takes
    /// away their own protection, and nobody else's.
    case deviceKey
    /// A passkey that was made just now, whose authenticator says each time that it has verified its owner.
    case passkey(Passkeys.Attestation, RelyingParty)
}

/// The same, read.
struct UserVerificationEvidence: Sendable {
    let isByDeviceKey: Bool
    let passkey: GuestPasskey.Registration?

    init(_ verification: UserVerification, for code: String) throws(GuestAccess.GuestAccessError) {
        switch verification {
        case .none: (isByDeviceKey, passkey) = (false, nil)
        case .deviceKey: (isByDeviceKey, passkey) = (true, nil)
        case .passkey(let made, let party):
            isByDeviceKey = false
            do throws(PasskeyError) { passkey = try GuestPasskey.makeRegistration(made, for: code, at: party) } catch {
                throw .passkey(error)
            }
        }
    }

    /// A passkey says who stands there, and the key of the phone what they ask for: it takes both.
    func isSufficient(with key: GuestPublicKey?) -> Bool { key != nil && (isByDeviceKey || passkey != nil) }
}
