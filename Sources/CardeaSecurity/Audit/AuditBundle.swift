import Crypto
import Foundation

/// An export of the audit log, or of some of its entries: JSON, one object a line, that can be verified without the house.
///
/// A whole one has a header, the roots of segments that were dropped, all remaining entries with their hashes, each checkpoint at its
/// place, and a footer that the house signed. A selection has the last checkpoint, and entries with their paths to it.
public enum AuditBundle {
    /// The version of this format.
    public static let schema = 1
    public static let mediaType = "application/x-ndjson"
    /// Bytes of the longest line that is read.
    static let lineLimit = 256 * 1024

    /// The action of the entry that records a dropped segment.
    public static let droppedAction = "audit.drop"

    /// Returns the name of a segment in such an entry; segments are counted from 0.
    public static func name(ofSegment number: Int64) -> String { "audit_segment:\(number)" }

    public struct Header: Codable, Hashable, Sendable {
        public var kind = "header"
        public var schema = AuditBundle.schema
        /// The name of the audit log, and of its signer.
        public let origin: String
        /// The house's Ed25519 key.
        public let key: Data
        /// The same key in the form of note tools.
        public let verifier: String
        /// The number of entries in the audit log.
        public let size: Int64
        /// Milliseconds since 1970.
        public let exportedAt: Int64
        /// True if the bundle holds a selection of the entries.
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

    /// The place of 256 entries that were dropped after their time.
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
        /// The hash of the chain after this entry.
        public var hash: Data
        /// The readable form of the entry, in JSON, as the house gave it to the person who exported it.
        public var told: String
        /// The house's signature over the entry and its readable form.
        public var signature: Data
        /// In a selection: the path to the signed root; nil otherwise.
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

    /// Returns the statement that the house signs for an entry: that `told` is the content of the sealed line.
    public static func statement(_ told: String, of line: String, at seq: Int64, in origin: String) -> Data {
        let leaf = MerkleTree.leaf(Data(line.utf8)).base64EncodedString()
        return Data("cardea-audit-entry-v1\n\(origin)\n\(seq)\n\(leaf)\n\(told)\n".utf8)
    }

    static func footerStatement(_ header: Header, _ digest: Data) -> Data {
        Data("cardea-audit-export-v1\n\(header.origin)\n\(header.size)\n\(header.exportedAt)\n\(digest.base64EncodedString())\n".utf8)
    }
}
