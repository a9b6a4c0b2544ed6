/// The method of a sign-in.
public enum SignInMethod: String, Codable, Hashable, Sendable, CaseIterable {
    case password, passkey, claim, invitation
    case recoveryCode = "recovery_code"
    /// A phone, for the person who confirmed it.
    case phone

    /// True if a person who signed in this way may choose a new password without the old one: they have given an equal proof.
    public var replacesPassword: Bool { self == .passkey || self == .recoveryCode }
}
