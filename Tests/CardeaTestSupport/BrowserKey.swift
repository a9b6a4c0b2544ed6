import CardeaSecurity
import Crypto
import Foundation

/// A browser's key, which signs proofs (RFC 9449), also false ones.
public struct BrowserKey: Sendable {
    private let key = P256.Signing.PrivateKey()

    public init() {}

    /// - Parameters:
    ///   - header: members of the header that replace the default ones.
    ///   - claims: the same for the claims.
    public func proof(
        method: String = "POST", url: String, nonce: String? = nil, header: [String: String] = [:], claims: [String: String] = [:]
    ) throws -> String {
        let point = key.publicKey.rawRepresentation
        let key = ["kty": "EC", "crv": "P-256", "x": Base64URL.encode(point.prefix(32)), "y": Base64URL.encode(point.suffix(32))]
        var said: [String: Any] = ["jti": UUID().uuidString, "htm": method, "htu": url, "iat": 1_764_000_000]
        if let nonce { said["nonce"] = nonce }
        said.merge(claims) { $1 }
        let top = ["typ": "dpop+jwt", "alg": "ES256"].merging(header) { $1 }
        var head: [String: Any] = top
        head["jwk"] = key
        let text = try [head, said].map { Base64URL.encode(try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys)) }
            .joined(separator: ".")
        return "\(text).\(Base64URL.encode(try self.key.signature(for: Data(text.utf8)).rawRepresentation))"
    }
}
