import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// Proofs from the signed audit log for others: its state, that it only grew, that an entry is in it, and the whole log for export.
public struct AuditProofs: Sendable {
    let store: Store
    let activity: ActivityLog
    let checkpointer: AuditCheckpointer
    let monitor: AuditMonitor
    let environment: HubEnvironment

    public enum ProofError: Error, Hashable, Sendable {
        case notFound
        /// The entry is not signed yet; it will be within a minute.
        case notSigned
        /// The entries were dropped after their retention. The proofs of the others no longer cover them.
        case dropped
        /// The audit log itself is damaged.
        case broken(AuditChain.ChainError)
    }

    /// The state of the audit log at its last signature.
    public struct SignedCheckpoint: Hashable, Sendable {
        public let checkpoint: AuditCheckpoint
        /// The same with its signature, as transparency logs write it.
        public let note: String
        /// The house's Ed25519 key, 32 bytes.
        public let key: Data
        /// The same key in the format of note tools.
        public let verifier: String
        /// The path from the requested size to this one; nil if none was requested, or the log was never that long.
        public var consistencyPath: [Data]?
        /// The last checkpoint of whole segments, which stays provable for good, and the path from it to this one.
        public var lastFullSegment: SegmentCheckpoint?
        /// The result of the last verification of every entry; nil before the first one, and in the proof of an entry.
        public var verification: AuditMonitor.Finding?

        public struct SegmentCheckpoint: Hashable, Sendable {
            public let size: Int64
            public let note: String
            public let path: [Data]
        }
    }

    /// Proof that one entry is in the log.
    public struct InclusionProof: Hashable, Sendable {
        public let entry: ActivityLog.Entry
        /// The sealed entry as it was chained, byte for byte.
        public let sealedEntry: String
        /// The entry's content, as the caller may read it.
        public let statement: String
        /// The house's signature over both.
        public let signature: Data
        public let path: [Data]
        public let signedCheckpoint: SignedCheckpoint
    }

    // MARK: Reading

    /// The latest signed state of the audit log, for people who run the house. It contains no entry, and terminals that watch the log
    /// request it again and again, so reading it is not recorded.
    ///
    /// - Parameter size: an earlier size, from which the answer proves that the log only grew; 1 or more.
    /// - Throws: `ProofError`, `People.PersonError`.
    public func checkpoint(from size: Int64? = nil, seenBy principal: Principal) async throws -> SignedCheckpoint {
        let (checkpointer, finding) = (checkpointer, monitor.finding)
        return try await store.read { db in
            _ = try People.require(.managePeople, of: principal, in: db)
            var checkpoint = try Self.latest(checkpointer, db)
            checkpoint.verification = finding
            let tree = try AuditMerkleTree(db)
            let now = checkpoint.checkpoint.size
            if let size, size >= 1, size <= now { checkpoint.consistencyPath = try tree.consistencyProof(of: size, with: now) }
            if let (whole, note) = try Self.storedCheckpoint("WHERE size % \(AuditCheckpointer.segmentSize) = 0", checkpointer, db) {
                checkpoint.lastFullSegment = .init(size: whole.size, note: note, path: try tree.consistencyProof(of: whole.size, with: now))
            }
            return checkpoint
        }
    }

    /// Proves that an entry is in the log, to callers who may see it: people who run the house, the person who acted, and the person whom
    /// it concerns. A proof contains the entry, so a proof for people who run the house is recorded as a read of the log.
    ///
    /// - Throws: `ProofError`, `People.PersonError`.
    public func inclusion(of seq: Int64, seenBy principal: Principal, origin: RequestOrigin) async throws -> InclusionProof {
        let (inclusion, seesAll) = try await inclusion(of: seq, for: principal)
        if seesAll { await activity.recordRead(of: nil, by: principal, origin: origin) }
        return inclusion
    }

    private func inclusion(of seq: Int64, for principal: Principal) async throws -> (InclusionProof, seesAll: Bool) {
        let (checkpointer, activity) = (checkpointer, activity)
        return try await store.read { db in
            let person = try People.require(.controlDevices, of: principal, in: db)
            let viewer = person.rights.contains(.managePeople) ? nil : person.id
            guard seq > 0 else { throw ProofError.notFound }
            let checkpoint = try Self.latest(checkpointer, db)
            guard let found = try Self.entry(seq, onlyOf: viewer, activity, db) else {
                let dropped = try Bool.fetchOne(
                    db, sql: "SELECT 1 FROM audit_segments WHERE number = ? AND dropped_at IS NOT NULL",
                    arguments: [(seq - 1) / AuditCheckpointer.segmentSize])
                throw dropped == true && viewer == nil ? ProofError.dropped : ProofError.notFound
            }
            guard seq <= checkpoint.checkpoint.size else { throw ProofError.notSigned }
            let path = try AuditMerkleTree(db).inclusionProof(of: seq, in: checkpoint.checkpoint.size)
            let statement = found.entry.statement
            let inclusion = InclusionProof(
                entry: found.entry, sealedEntry: found.line, statement: statement,
                signature: try checkpointer.signer.sign(statement, of: found.line, at: seq),
                path: path, signedCheckpoint: checkpoint)
            return (inclusion, viewer == nil)
        }
    }

    private static func entry(
        _ seq: Int64, onlyOf viewer: String?, _ activity: ActivityLog, _ db: Database
    ) throws -> (entry: ActivityLog.Entry, line: String)? {
        var conditions = try activity.conditions(.init(isWhole: true), onlyOf: viewer, in: db)
        conditions.append("a.seq = \(seq)")
        let query: SQL = "SELECT \(sql: AuditLogWriter.columns) FROM audit a WHERE \(conditions.joined(separator: " AND "))"
        guard let record = try SQLRequest<Row>(literal: query).fetchOne(db).map(AuditLogWriter.record) else { return nil }
        return try activity.entries(activity.auditLogWriter.open([record], in: db), seenBy: viewer, in: db).first.map {
            ($0, record.canonical)
        }
    }

    /// The last signed checkpoint.
    static func latest(_ checkpointer: AuditCheckpointer, _ db: Database) throws -> SignedCheckpoint {
        guard let (checkpoint, note) = try storedCheckpoint("", checkpointer, db) else { throw ProofError.notSigned }
        let key = checkpointer.signer.key.publicKey
        return SignedCheckpoint(
            checkpoint: checkpoint, note: note, key: key.rawRepresentation,
            verifier: AuditCheckpoint.verifier(key, of: checkpointer.signer.origin))
    }

    /// The last one of the signed checkpoints.
    private static func storedCheckpoint(_ which: String, _ checkpointer: AuditCheckpointer, _ db: Database) throws -> (
        AuditCheckpoint, note: String
    )? {
        let row = try Row.fetchOne(
            db, sql: "SELECT size, root, at, signature FROM audit_checkpoints \(which) ORDER BY size DESC LIMIT 1")
        return row.map { checkpointer.signer.note(of: $0) }
    }
}

extension AuditSigner {
    /// The checkpoint and its signed note, from `size, root, at, signature`.
    func note(of row: Row) -> (AuditCheckpoint, note: String) {
        let checkpoint = AuditCheckpoint(origin: origin, size: row[0], root: row[1], at: row[2])
        return (checkpoint, checkpoint.note(row[3], by: key.publicKey))
    }

    /// The house's signature over the content of a sealed entry.
    func sign(_ statement: String, of line: String, at seq: Int64) throws -> Data {
        try key.signature(for: AuditBundle.statement(statement, of: line, at: seq, in: origin))
    }
}

extension ActivityLog.Entry {
    /// The entry's content in the form of RFC 8785, which the house signs.
    var statement: String {
        var members = CanonicalJSON.ObjectWriter(room: 512)
        members.add("action", action)
        members.add("at", at.milliseconds)
        members.add("command_id", commandID)
        members.add("device_id", deviceID)
        members.add("device_name", deviceName)
        members.add("entity_id", entityID)
        members.add("grant_id", grantID)
        members.add("reason", reason)
        members.add("remote", remote)
        members.add("request_id", requestID)
        members.add("result", result)
        members.add("seq", Int64(id))
        members.add("who", whoKind)
        members.add("who_id", whoID)
        members.add("who_name", whoName)
        return members.finishedText
    }
}
