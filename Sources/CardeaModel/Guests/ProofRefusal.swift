/// The reason why a guest's proof of the key that their pass is bound to was refused. The pass itself stays valid.
public enum ProofRefusal: String, Error, Codable, Hashable, Sendable, CaseIterable {
    case required = "action_proof_required"
    /// It cannot be read, is about another request, or another key signed it.
    case invalid = "action_proof_invalid"
    /// The signed nonce has been used before.
    case replay = "action_proof_replay"
    /// The signed nonce is too old, or the hub did not issue it.
    case nonceExpired = "action_nonce_expired"
    /// The signer's clock is too far from the hub's.
    case clockSkew = "action_proof_clock_skew"
    /// The pass requires the phone to verify its owner.
    case presenceRequired = "presence_required"
    /// The assertion of the phone's authenticator is not about this request, or is not its own.
    case presenceInvalid = "presence_invalid"

    /// True if the guest may send a new proof after this refusal. A used proof was already processed, and a guest is not verified twice for
    /// one opening.
    public var allowsRetry: Bool {
        switch self {
        case .required, .invalid, .nonceExpired, .clockSkew: true
        case .replay, .presenceRequired, .presenceInvalid: false
        }
    }
}
