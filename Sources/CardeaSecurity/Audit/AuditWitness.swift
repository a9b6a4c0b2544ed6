import Crypto
import Foundation

/// A record, outside the house, of checkpoints of its audit log. By it a device later detects that the audit log was reset to an earlier
/// state, truncated or rewritten, even by an attacker who holds the house's own keys.
public struct AuditWitness: Codable, Hashable, Sendable {
    /// The house's key at the first check.
    public let key: Data
    /// The latest signed checkpoint that was seen.
    public private(set) var newest: VerifiedCheckpoint
    /// The latest checkpoint of whole segments, which can be compared with the audit log at any age.
    public private(set) var whole: VerifiedCheckpoint?

    /// A checkpoint whose signature was verified.
    public struct VerifiedCheckpoint: Codable, Hashable, Sendable {
        public let note: String
        public let size: Int64
        public let root: Data
        /// Milliseconds since 1970.
        public let at: Int64
        let origin: String

        fileprivate init(_ checkpoint: AuditCheckpoint, _ note: String) {
            self.note = note
            size = checkpoint.size
            root = checkpoint.root
            at = checkpoint.at
            origin = checkpoint.origin
        }
    }

    /// The checkpoint that a house presents.
    public struct PresentedCheckpoint: Sendable {
        public let key: Data
        public let note: String
        /// The path from the requested size to this one; nil if the house gave none.
        public let path: [Data]?
        /// The last checkpoint of whole segments, with its path to this one.
        public let whole: (note: String, path: [Data])?

        public init(key: Data, note: String, path: [Data]?, whole: (note: String, path: [Data])?) {
            self.key = key
            self.note = note
            self.path = path
            self.whole = whole
        }
    }

    /// A failed check. None occurs in an audit log that only grows.
    public enum Alarm: String, Error, Codable, Hashable, Sendable, CaseIterable {
        /// The house signs with a different key than before.
        case otherKey = "key_changed"
        /// The checkpoint was not signed by the house's key, or belongs to another house.
        case unsigned
        /// Entries that were signed are gone from the end.
        case truncated
        /// The audit log no longer begins with the entries that were signed before.
        case forked

        public var message: String {
            switch self {
            case .otherKey: "The house signs its audit log with a different key than before."
            case .unsigned: "The audit log that the house shows is not signed by its key."
            case .truncated: "Entries that the house had signed are missing from the end of its audit log."
            case .forked: "The house's audit log differs from the one that it signed before: it was rewritten from some entry on."
            }
        }
    }

    /// The first check. The source of this checkpoint is trusted.
    public init(_ presented: PresentedCheckpoint) throws(Alarm) {
        key = presented.key
        let newest = try Self.verifiedCheckpoint(presented.note, by: presented.key)
        self.newest = newest
        whole = try Self.wholeSegmentCheckpoint(presented, of: newest)
    }

    /// Updates it with a new checkpoint.
    ///
    /// - Parameter size: the size from which the path was requested: `newest.size`, or `whole?.size` if the house has dropped the entries
    /// between.
    public mutating func update(_ presented: PresentedCheckpoint, from size: Int64) throws(Alarm) {
        guard presented.key == key else { throw .otherKey }
        let now = try Self.verifiedCheckpoint(presented.note, by: key)
        guard now.origin == newest.origin else { throw .unsigned }
        guard now.size >= newest.size else { throw .truncated }
        guard let base = [newest, whole].compactMap({ $0 }).first(where: { $0.size == size }), let path = presented.path,
            MerkleTree.verifyConsistency(now.root, of: now.size, growsFrom: base.size, root: base.root, by: path)
        else { throw .forked }
        let whole = try Self.wholeSegmentCheckpoint(presented, of: now)
        newest = now
        if let whole { self.whole = whole }
    }

    private static func wholeSegmentCheckpoint(_ presented: PresentedCheckpoint, of newest: VerifiedCheckpoint) throws(Alarm)
        -> VerifiedCheckpoint?
    {
        guard let whole = presented.whole else { return nil }
        let seen = try verifiedCheckpoint(whole.note, by: presented.key)
        guard seen.origin == newest.origin else { throw .unsigned }
        guard seen.size % 256 == 0,
            MerkleTree.verifyConsistency(newest.root, of: newest.size, growsFrom: seen.size, root: seen.root, by: whole.path)
        else { throw .forked }
        return seen
    }

    private static func verifiedCheckpoint(_ note: String, by key: Data) throws(Alarm) -> VerifiedCheckpoint {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key), let checkpoint = AuditCheckpoint(note: note, by: key)
        else { throw .unsigned }
        return VerifiedCheckpoint(checkpoint, note)
    }
}
