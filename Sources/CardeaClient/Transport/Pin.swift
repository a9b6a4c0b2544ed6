import Foundation
import Synchronization

/// The key that identifies a hub: the SHA-256 of its public key, as RFC 7469 writes it. It replaces a certificate authority: the holder of
/// the key is the hub.
public struct Pin: Hashable, Sendable, CustomStringConvertible {
    public let digest: Data

    public init(digest: Data) {
        self.digest = digest
    }

    /// Reads `sha256/…` or `sha256//…`, base64.
    public init(_ text: String) throws(ClientError) {
        let parts = text.trimmingCharacters(in: .whitespacesAndNewlines).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "sha256" else { throw Self.malformedPin }
        // One key in 64 has a digest that begins with a slash itself: only if the text is one character too long is the first slash an
        // extra one.
        let base64 = parts[1].utf8.count == 45 && parts[1].hasPrefix("/") ? parts[1].dropFirst() : parts[1]
        guard let digest = Data(base64Encoded: String(base64)), digest.count == 32, digest.base64EncodedString() == base64 else {
            throw Self.malformedPin
        }
        self.digest = digest
    }

    public var description: String { "sha256/\(digest.base64EncodedString())" }

    private static let malformedPin = ClientError.invalidRequest("a pin is sha256/ followed by 44 characters, as the hub prints it")
}

extension Pin: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
