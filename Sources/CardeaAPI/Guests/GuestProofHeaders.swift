/// The header fields by which a guest shows that they hold the key of their pass.
public enum GuestProofHeaders {
    /// The signed content, as base64url of its JSON.
    public static let proof = "X-Cardea-Proof"
    /// The signature, base64url.
    public static let signature = "X-Cardea-Proof-Signature"
    /// The assertion of the phone's authenticator, as base64url of the JSON `{clientDataJSON, authenticatorData, signature}`, each member
    /// in base64url. Its challenge is the SHA-256 of the signed content.
    public static let presence = "X-Cardea-Presence"
}
