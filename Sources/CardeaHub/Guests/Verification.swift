import CardeaModel
import CardeaSecurity
import Foundation

/// By which a phone that takes a pass verifies its owner.
public enum Verification: Sendable {
    case none
    /// The phone gives the key that it sends out only to whom it has verified. It says so itself, and nobody can look: whoever lies takes
    /// away their own protection, and nobody else's.
    case ofKey
    /// A passkey that was made just now, whose authenticator says each time that it has verified its owner.
    case passkey(Passkeys.Made, RelyingParty)
}

/// The same, read.
struct VerificationMeans: Sendable {
    let isOfKey: Bool
    let passkey: GuestPasskey.New?

    init(_ verification: Verification, for code: String) throws(GuestAccess.Problem) {
        switch verification {
        case .none: (isOfKey, passkey) = (false, nil)
        case .ofKey: (isOfKey, passkey) = (true, nil)
        case .passkey(let made, let party):
            isOfKey = false
            do throws(PasskeyProblem) { passkey = try GuestPasskey.new(made, for: code, at: party) } catch { throw .passkey(error) }
        }
    }

    /// A passkey says who stands there, and the key of the phone what they ask for: it takes both.
    func isEnough(with key: GuestPublicKey?) -> Bool { key != nil && (isOfKey || passkey != nil) }
}
