import Foundation

/// Entries of the audit log, newest first.
public struct AuditAnswer: Codable, Sendable {
    public let entries: [ActivityEntry]
    public let nextBefore: Int?
    /// The last entry that is covered by a root that the house signed.
    public let signedSize: Int?
    /// When it did.
    public let signedAt: Date?

    enum CodingKeys: String, CodingKey {
        case entries
        case nextBefore = "next_before"
        case signedSize = "signed_size"
        case signedAt = "signed_at"
    }

    public init(entries: [ActivityEntry], nextBefore: Int?, signedSize: Int?, signedAt: Date?) {
        self.entries = entries
        self.nextBefore = nextBefore
        self.signedSize = signedSize
        self.signedAt = signedAt
    }
}

/// `GET /api/v1/audit/checkpoint`: the state of the audit log at its last signature.
public struct AuditCheckpointAnswer: Codable, Sendable {
    /// The number of entries that it covers.
    public let size: Int64
    public let at: Date
    /// The root of the tree over them (RFC 9162), in Base64.
    public let root: Data
    /// The signed note (C2SP signed-note and tlog-checkpoint).
    public let note: String
    /// The house's Ed25519 key, in Base64.
    public let key: Data
    /// The same as note tools are given it.
    public let verifier: String
    /// The proof that the log only grew since `from_size`; absent if nothing was asked, or the log was never that long.
    public let path: [Data]?
    /// The last signed checkpoint over whole segments. It can always be proven from.
    public let whole: SegmentCheckpoint?
    /// When the house last verified every entry; absent if it has not since it started.
    public let verifiedAt: Date?
    /// The first entry that failed; absent if all passed.
    public let brokenAt: Int64?
    /// The problem, in words.
    public let problem: String?

    enum CodingKeys: String, CodingKey {
        case size, at, root, note, key, verifier, path, whole, problem
        case verifiedAt = "verified_at"
        case brokenAt = "broken_at"
    }

    public struct SegmentCheckpoint: Codable, Sendable {
        public let size: Int64
        public let note: String
        /// From this size to the newest.
        public let path: [Data]

        public init(size: Int64, note: String, path: [Data]) {
            self.size = size
            self.note = note
            self.path = path
        }
    }

    public init(
        size: Int64, at: Date, root: Data, note: String, key: Data, verifier: String, path: [Data]?, whole: SegmentCheckpoint?,
        verifiedAt: Date? = nil,
        brokenAt: Int64? = nil, problem: String? = nil
    ) {
        self.size = size
        self.at = at
        self.root = root
        self.note = note
        self.key = key
        self.verifier = verifier
        self.path = path
        self.whole = whole
        self.verifiedAt = verifiedAt
        self.brokenAt = brokenAt
        self.problem = problem
    }
}

/// `GET /api/v1/audit/{id}/proof`: that an entry is in the log.
public struct AuditProofAnswer: Codable, Sendable {
    public let entry: ActivityEntry
    /// The sealed entry as it was chained; its hash is the tree's leaf.
    public let line: String
    /// The entry's content, in JSON.
    public let told: String
    /// The house's signature over line and words, in Base64.
    public let signature: Data
    /// The hashes from the leaf to the root (RFC 9162, section 2.1.3), in Base64.
    public let path: [Data]
    public let checkpoint: AuditCheckpointAnswer

    public init(entry: ActivityEntry, line: String, told: String, signature: Data, path: [Data], checkpoint: AuditCheckpointAnswer) {
        self.entry = entry
        self.line = line
        self.told = told
        self.signature = signature
        self.path = path
        self.checkpoint = checkpoint
    }
}

/// `POST /api/v1/audit/export`: omitted filters match everything; without any, the whole log is exported.
public struct AuditExportBody: WireFormat.Body, Encodable, Sendable {
    public var format: AuditFormat?
    public var personID: String?
    public var guestID: String?
    public var deviceID: String?
    public var result: String?
    public var action: String?
    public var from: Date?
    public var to: Date?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case format, result, action, from, to
        case personID = "person_id"
        case guestID = "guest_id"
        case deviceID = "device_id"
    }

    public init(format: AuditFormat? = nil) { self.format = format }
}

/// The format of an exported log.
public enum AuditFormat: String, Codable, Sendable, CaseIterable {
    /// A bundle that proves itself: JSON, one object a line.
    case json
    /// A table for a spreadsheet, which proves nothing.
    case csv
}
