import Crypto
import Foundation

/// The statement that a guest's key signs with each action: this request, once, now.
public struct ActionProof: Codable, Hashable, Sendable {
    /// The nonce that the hub issued, valid once.
    public let nonce: String
    /// When it was signed, Unix seconds.
    public let ts: Int64
    public let method: String
    /// The path of the address, without its query.
    public let path: String
    /// SHA-256 of the body as it is sent, in lower-case hex.
    public let bodySHA256: String
    /// The token that it belongs to.
    public let jti: String
    public let deviceID: String

    enum CodingKeys: String, CodingKey {
        case nonce, ts, method, path, jti
        case bodySHA256 = "body_sha256"
        case deviceID = "device_id"
    }

    /// Longer headers are none of ours.
    public static let maximumLength = 2048

    public init(nonce: String, ts: Int64, method: String, path: String, body: Data, jti: String, deviceID: String) {
        self.nonce = nonce
        self.ts = ts
        self.method = method
        self.path = path
        bodySHA256 = Self.digest(of: body)
        self.jti = jti
        self.deviceID = deviceID
    }

    /// Reads the header of an untrusted sender; nil if it is invalid.
    public init?(header: String) {
        guard header.utf8.count <= Self.maximumLength, let data = Base64URL.decode(header),
            let proof = try? JSONDecoder().decode(ActionProof.self, from: data)
        else { return nil }
        // A line break inside a field would give two proofs with the same signed bytes.
        let texts = [proof.nonce, proof.method, proof.path, proof.bodySHA256, proof.jti, proof.deviceID]
        guard texts.allSatisfy({ text in text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } }) else { return nil }
        self = proof
    }

    /// The header `X-Cardea-Proof`.
    func header() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Base64URL.encode(try encoder.encode(self))
    }

    /// One field to a line; the last line does not end.
    public var signedBytes: Data {
        Data([method, path, String(ts), nonce, jti, deviceID, bodySHA256].joined(separator: "\n").utf8)
    }

    /// Returns whether the proof is about this request.
    public func matches(method: String, path: String, body: Data) -> Bool {
        self.method == method && self.path == path && bodySHA256 == Self.digest(of: body)
    }

    private static func digest(of body: Data) -> String {
        SHA256.hash(data: body).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
