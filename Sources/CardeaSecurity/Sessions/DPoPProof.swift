import Crypto
import Foundation

/// A proof that the sender of a request holds a key, and sends it here and now: a DPoP proof (RFC 9449, section 4), by ES256 alone.
public struct DPoPProof: Sendable {
    public enum ProofError: Error {
        /// It is no proof, or its signature does not fit it.
        case invalid
    }

    /// SHA-256 of the key (RFC 7638): 32 bytes.
    public let thumbprint: Data
    /// The method of the request that it is for.
    public let method: String
    /// The address of that request, without query and fragment.
    public let url: String
    /// The nonce that the hub issued; nil if it has issued none yet.
    public let nonce: String?

    /// Longer ones are read no further.
    public static let maximumLength = 2048

    /// - Throws: `ProofError.invalid` for any text that is not a proof: another type or algorithm, a private key, a wrong signature.
    public init(_ text: String) throws(ProofError) {
        let parts = text.utf8.count <= Self.maximumLength ? text.split(separator: ".", omittingEmptySubsequences: false) : []
        guard parts.count == 3, let header: Header = Self.read(parts[0]), let claims: Claims = Self.read(parts[1]),
            let signature = Base64URL.decode(String(parts[2])), header.typ == "dpop+jwt", header.alg == "ES256",
            let key = header.jwk.key, (1...128).contains(claims.jti.utf8.count), claims.iat.isFinite,
            let signed = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(signed, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { throw .invalid }
        thumbprint = header.jwk.thumbprint
        (method, url, nonce) = (claims.htm, claims.htu, claims.nonce)
    }

    private static func read<Part: Decodable>(_ text: Substring) -> Part? {
        Base64URL.decode(String(text)).flatMap { try? JSONDecoder().decode(Part.self, from: $0) }
    }

    private struct Header: Decodable {
        let typ: String
        let alg: String
        let jwk: Key
    }

    /// A public key as JSON (RFC 7518, section 6.2.1).
    private struct Key: Decodable {
        let kty: String
        let crv: String
        let x: String
        let y: String
        /// There must be none: it is the private key.
        let d: String?

        var key: P256.Signing.PublicKey? {
            guard kty == "EC", crv == "P-256", d == nil, let x = Base64URL.decode(x), let y = Base64URL.decode(y), x.count == 32,
                y.count == 32
            else { return nil }
            return try? P256.Signing.PublicKey(rawRepresentation: x + y)
        }

        /// The members in their order and without spaces (RFC 7638, section 3). `x` and `y` are base64url by now.
        var thumbprint: Data {
            Data(SHA256.hash(data: Data(#"{"crv":"\#(crv)","kty":"\#(kty)","x":"\#(x)","y":"\#(y)"}"#.utf8)))
        }
    }

    private struct Claims: Decodable {
        let jti: String
        let htm: String
        let htu: String
        /// By the browser's own clock, which is not trusted: the nonce shows that a proof is new.
        let iat: Double
        let nonce: String?
    }
}
