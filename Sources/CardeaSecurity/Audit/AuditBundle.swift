import Crypto
import Foundation

/// The audit trail, or some of its entries, as it is handed to somebody else: JSON, one object a line, that proves itself without the house.
///
/// A whole one has a header, the roots of segments that were dropped, every entry that is left with its hash, what was signed at each place
/// where it was, and an end that the house signed. A selection has what was signed last, and entries with their paths to it.
public enum AuditBundle {
    /// The version of this form.
    public static let schema = 1
    public static let mediaType = "application/x-ndjson"
    /// Bytes of the longest line that is read.
    static let lineLimit = 256 * 1024

    /// What an entry says that the house made when it dropped a segment.
    public static let droppedAction = "audit.drop"

    /// What such an entry calls the segment, counted from 0.
    public static func name(ofSegment number: Int64) -> String { "audit_segment:\(number)" }

    public struct Header: Codable, Hashable, Sendable {
        public var kind = "header"
        public var schema = AuditBundle.schema
        /// Whose trail it is: the signer's name as well.
        public let origin: String
        /// The house's Ed25519 key.
        public let key: Data
        /// The same as note tools are given it.
        public let verifier: String
        /// How many entries the trail had.
        public let size: Int64
        /// Milliseconds since 1970.
        public let exportedAt: Int64
        /// Whether these are some entries, and not all.
        public let selection: Bool

        enum CodingKeys: String, CodingKey {
            case kind, schema, origin, key, verifier, size, selection
            case exportedAt = "exported_at"
        }

        public init(origin: String, key: Curve25519.Signing.PublicKey, size: Int64, exportedAt: Int64, selection: Bool) {
            self.origin = origin
            self.key = key.rawRepresentation
            verifier = AuditCheckpoint.verifier(key, of: origin)
            self.size = size
            self.exportedAt = exportedAt
            self.selection = selection
        }
    }

    /// What stands for 256 entries that were dropped after their time.
    public struct Segment: Codable, Hashable, Sendable {
        public var kind = "segment"
        public let number: Int64
        /// The root of its part of the tree.
        public let root: Data
        /// The chain after its last entry.
        public let hash: Data

        public init(number: Int64, root: Data, hash: Data) {
            self.number = number
            self.root = root
            self.hash = hash
        }
    }

    public struct Entry: Codable, Hashable, Sendable {
        public var kind = "entry"
        public var seq: Int64
        /// The sealed entry as it was chained, byte by byte.
        public var line: String
        /// The chain after it.
        public var hash: Data
        /// What it says, in JSON, as the house read it to whoever asked.
        public var told: String
        /// The house's signature over entry and words.
        public var signature: Data
        /// Of a selection: the path to the root that was signed.
        public var path: [Data]?

        public init(seq: Int64, line: String, hash: Data, told: String, signature: Data, path: [Data]? = nil) {
            self.seq = seq
            self.line = line
            self.hash = hash
            self.told = told
            self.signature = signature
            self.path = path
        }
    }

    public struct Checkpoint: Codable, Hashable, Sendable {
        public var kind = "checkpoint"
        public var note: String

        public init(note: String) { self.note = note }
    }

    public struct Footer: Codable, Hashable, Sendable {
        public var kind = "end"
        /// SHA-256 over all lines before, with their ends.
        public let digest: Data
        public let signature: Data
    }

    // MARK: Writing

    /// One line, with its end.
    public static func line(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + Data("\n".utf8)
    }

    /// Counts what was written, and signs it at the end.
    public struct Signer: Sendable {
        private var hash = SHA256()
        private let header: Header

        public init(_ header: Header) { self.header = header }

        public mutating func add(_ line: Data) { hash.update(data: line) }

        public func end(by key: Curve25519.Signing.PrivateKey) throws -> Footer {
            let digest = Data(hash.finalize())
            return Footer(digest: digest, signature: try key.signature(for: AuditBundle.footerStatement(header, digest)))
        }
    }

    /// What the house signs of an entry: that this is what the sealed line says.
    public static func statement(_ told: String, of line: String, at seq: Int64, in origin: String) -> Data {
        let leaf = MerkleTree.leaf(Data(line.utf8)).base64EncodedString()
        return Data("cardea-audit-entry-v1\n\(origin)\n\(seq)\n\(leaf)\n\(told)\n".utf8)
    }

    static func footerStatement(_ header: Header, _ digest: Data) -> Data {
        Data("cardea-audit-export-v1\n\(header.origin)\n\(header.size)\n\(header.exportedAt)\n\(digest.base64EncodedString())\n".utf8)
    }
}
