import CardeaModel
import CardeaSecurity
import Foundation

/// The way in which a phone that takes a pass verifies its owner.
public enum UserVerification: Sendable {
    case none
    /// The phone releases its key only after it has verified its user. The hub relies on the phone's own word: a phone that lies weakens
    /// only its own protection.
    case deviceKey
    /// A passkey that was made just now, whose authenticator reports for each use that it has verified its owner.
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

    /// A passkey proves who is at the door, and the phone's key what they request: both are needed.
    func isSufficient(with key: GuestPublicKey?) -> Bool { key != nil && (isByDeviceKey || passkey != nil) }
}
