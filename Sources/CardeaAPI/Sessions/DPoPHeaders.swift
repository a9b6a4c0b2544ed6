/// The header fields by which a browser shows that it holds the key of its session (RFC 9449).
public enum DPoPHeaders {
    /// A proof: a JWT of type `dpop+jwt`, signed by ES256 with the key that it contains.
    public static let proof = "DPoP"
    /// The nonce that the next proof signs.
    public static let nonce = "DPoP-Nonce"
}
