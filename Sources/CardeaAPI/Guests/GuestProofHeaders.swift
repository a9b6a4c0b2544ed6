/// The header fields by which a guest shows that they hold the key of their pass.
public enum GuestProofHeaders {
    /// What was signed, as base64url of its JSON.
    public static let proof = "X-Cardea-Proof"
    /// The signature, base64url.
    public static let signature = "X-Cardea-Proof-Signature"
    /// What the phone's authenticator said about it, as base64url of the JSON `{clientDataJSON, authenticatorData, signature}`, each of them
    /// base64url. Its challenge is the SHA-256 of what was signed.
    public static let presence = "X-Cardea-Presence"
}
