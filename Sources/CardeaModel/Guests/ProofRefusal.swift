/// Why a guest is not believed to hold the key that their pass is bound to. The pass itself is no worse for it.
public enum ProofRefusal: String, Error, Codable, Hashable, Sendable, CaseIterable {
    case required = "action_proof_required"
    /// It cannot be read, is about another request, or another key signed it.
    case invalid = "action_proof_invalid"
    /// What was signed has been used before.
    case replay = "action_proof_replay"
    /// What was signed is too old, or none of the house's.
    case nonceExpired = "action_nonce_expired"
    /// The clock of whoever signed is too far from the house's.
    case clockSkew = "action_proof_clock_skew"
    /// The pass wants the phone to verify its owner.
    case presenceRequired = "presence_required"
    /// What the phone's authenticator said is not about this request, or is not its own.
    case presenceInvalid = "presence_invalid"

    /// Whether a new proof may be taken where this one was not. One that was used was heard, and nobody is verified twice for one opening.
    public var allowsRetry: Bool {
        switch self {
        case .required, .invalid, .nonceExpired, .clockSkew: true
        case .replay, .presenceRequired, .presenceInvalid: false
        }
    }
}
