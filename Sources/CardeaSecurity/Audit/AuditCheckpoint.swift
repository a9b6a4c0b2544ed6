import Crypto
import Foundation

/// The state of the audit log at a moment, signed by the house. A copy of it proves later whether anything before it was changed.
///
/// It is written as transparency logs write theirs, so that their tools read it: a signed note (C2SP signed-note, Ed25519) around a
/// checkpoint (C2SP tlog-checkpoint) with one line more, the moment.
///
/// ```
/// cardea/0192…
/// 512
/// jBkTXe9g…=
/// at 1795442400000
///
/// — cardea/0192… 7Yk3…=
/// ```
public struct AuditCheckpoint: Hashable, Sendable {
    /// Whose log it is, which is the signer's name as well.
    public let origin: String
    /// The number of entries that it covers.
    public let size: Int64
    /// The root of the tree over them.
    public let root: Data
    /// Milliseconds since 1970.
    public let at: Int64

    public init(origin: String, size: Int64, root: Data, at: Int64) {
        self.origin = origin
        self.size = size
        self.root = root
        self.at = at
    }

    /// The log of a house.
    public static func origin(ofHouse id: String) -> String { "cardea/\(id)" }

    /// The signed text.
    var body: Data { Data("\(origin)\n\(size)\n\(root.base64EncodedString())\nat \(at)\n".utf8) }

    // MARK: Signing

    public func signature(by key: Curve25519.Signing.PrivateKey) throws -> Data { try key.signature(for: body) }

    public func isSigned(_ signature: Data, by key: Curve25519.Signing.PublicKey) -> Bool { key.isValidSignature(signature, for: body) }

    // MARK: As a note

    private static let ed25519 = Data([1])

    /// The four bytes by which a note identifies its key: the first four bytes of `SHA-256(name ‖ 0x0A ‖ 0x01 ‖ public key)`.
    public static func name(of key: Curve25519.Signing.PublicKey, of origin: String) -> Data {
        Data(SHA256.hash(data: Data("\(origin)\n".utf8) + ed25519 + key.rawRepresentation).prefix(4))
    }

    /// The key as note tools are given it: `name+hash+key`.
    public static func verifier(_ key: Curve25519.Signing.PublicKey, of origin: String) -> String {
        let hash = name(of: key, of: origin).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return "\(origin)+\(hash)+\((ed25519 + key.rawRepresentation).base64EncodedString())"
    }

    /// The key in a verifier, or as 32 bytes in Base64; nil for other text.
    public static func key(_ text: String) -> Data? {
        let parts = text.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
        // Base64 may contain a plus as well; a verifier's plus is followed by eight digits.
        if parts.count == 3, parts[1].count == 8, let bytes = Data(base64Encoded: String(parts[2])), bytes.count == 33,
            bytes.prefix(1) == ed25519, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes.dropFirst()),
            verifier(key, of: String(parts[0])) == text
        {
            return key.rawRepresentation
        }
        return Data(base64Encoded: text).flatMap { $0.count == 32 ? $0 : nil }
    }

    public func note(_ signature: Data, by key: Curve25519.Signing.PublicKey) -> String {
        let signed = (Self.name(of: key, of: origin) + signature).base64EncodedString()
        return String(decoding: body, as: UTF8.self) + "\n— \(origin) \(signed)\n"
    }

    /// Reads a note and verifies it.
    ///
    /// - Returns: nil for an invalid note, and for one that `key` has not signed.
    public init?(note: String, by key: Curve25519.Signing.PublicKey) {
        guard note.utf8.count <= 4096 else { return nil }
        let lines = note.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 7, lines[4].isEmpty, lines.last?.isEmpty == true, !lines[0].isEmpty, let size = Int64(lines[1]), size > 0,
            let root = Data(base64Encoded: String(lines[2])), root.count == 32, lines[3].hasPrefix("at "),
            let at = Int64(lines[3].dropFirst(3)), at >= 0
        else { return nil }
        self.init(origin: String(lines[0]), size: size, root: root, at: at)
        let name = Self.name(of: key, of: origin)
        // Others may have signed it besides the house.
        let isSigned = lines[5...].contains { line in
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0] == "—", parts[1] == lines[0], let signed = Data(base64Encoded: String(parts[2])),
                signed.count == 68, signed.prefix(4) == name
            else { return false }
            return self.isSigned(Data(signed.dropFirst(4)), by: key)
        }
        guard isSigned, Data(note.utf8).starts(with: body) else { return nil }
    }
}
