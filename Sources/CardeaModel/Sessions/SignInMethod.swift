/// By what somebody came in.
public enum SignInMethod: String, Codable, Hashable, Sendable, CaseIterable {
    case password, passkey, claim, invitation
    case recoveryCode = "recovery_code"
    /// A phone, for the person who confirmed it.
    case phone

    /// Whether somebody who came in this way may choose a new password without the old one: they have shown something as good.
    public var replacesPassword: Bool { self == .passkey || self == .recoveryCode }
}
