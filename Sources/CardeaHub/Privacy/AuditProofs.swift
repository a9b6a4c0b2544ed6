import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// Shows to others what was signed of the audit trail: how it stood, that it only grew, that an entry is in it, and all of it to take away.
public struct AuditProofs: Sendable {
    let store: Store
    let activity: Activity
    let notary: AuditNotary
    let watch: AuditWatch
    let surroundings: Surroundings

    public enum Problem: Error, Hashable, Sendable {
        case notFound
        /// It was not signed yet; within a minute it is.
        case notSigned
        /// The entries are gone, their time being over; what proves the others does not prove these any more.
        case dropped
        /// The trail itself is not whole.
        case broken(AuditChain.Break)
    }

    /// How the trail stood when it was signed last.
    public struct Standing: Hashable, Sendable {
        public let checkpoint: AuditCheckpoint
        /// The same with its signature, as transparency logs write it.
        public let note: String
        /// The house's Ed25519 key, 32 bytes.
        public let key: Data
        /// The same as note tools are given it.
        public let verifier: String
        /// From the size that was asked about to this one; nil where nobody asked, or the trail was never that long.
        public var path: [Data]?
        /// The last one of whole segments, which stays provable for good, and its path to this one.
        public var whole: Whole?
        /// What the house found when it looked at every entry last; nil where it has not yet, and beside the proof of an entry.
        public var looked: AuditWatch.Finding?

        public struct Whole: Hashable, Sendable {
            public let size: Int64
            public let note: String
            public let path: [Data]
        }
    }

    /// That one entry is in the trail.
    public struct Inclusion: Hashable, Sendable {
        public let entry: Activity.Entry
        /// The sealed entry as it was chained, byte by byte.
        public let line: String
        /// What it says, as whoever asked may read it.
        public let told: String
        /// The house's signature over both.
        public let signature: Data
        public let path: [Data]
        public let standing: Standing
    }

    // MARK: Looking

    /// How the trail stood last, for whoever runs the house. It tells of no entry, and the terminals that watch over the record ask for it
    /// again and again: a look at it is not put on record.
    ///
    /// - Parameter size: a size from before, from which it is shown that the trail only grew; 1 or more.
    /// - Throws: `Problem`, `People.Problem`.
    public func standing(from size: Int64? = nil, seenBy principal: Principal) async throws -> Standing {
        let (notary, looked) = (notary, watch.finding)
        return try await store.read { db in
            _ = try People.require(.managePeople, of: principal, in: db)
            var standing = try Self.newest(notary, db)
            standing.looked = looked
            let tree = try AuditTree(db)
            let now = standing.checkpoint.size
            if let size, size >= 1, size <= now { standing.path = try tree.consistency(of: size, with: now) }
            if let (whole, note) = try Self.signed("WHERE size % \(AuditNotary.segment) = 0", notary, db) {
                standing.whole = .init(size: whole.size, note: note, path: try tree.consistency(of: whole.size, with: now))
            }
            return standing
        }
    }

    /// Shows that an entry is in the trail, to whoever may see it: whoever runs the house, whoever did it, and whom it concerns. A proof says
    /// what the entry says, so whoever runs the house has looked at the record by it.
    ///
    /// - Throws: `Problem`, `People.Problem`.
    public func inclusion(of seq: Int64, seenBy principal: Principal, origin: Origin) async throws -> Inclusion {
        let (inclusion, seesAll) = try await inclusion(of: seq, for: principal)
        if seesAll { await activity.noteReading(of: nil, by: principal, origin: origin) }
        return inclusion
    }

    private func inclusion(of seq: Int64, for principal: Principal) async throws -> (Inclusion, seesAll: Bool) {
        let (notary, activity) = (notary, activity)
        return try await store.read { db in
            let person = try People.require(.controlDevices, of: principal, in: db)
            let viewer = person.rights.contains(.managePeople) ? nil : person.id
            guard seq > 0 else { throw Problem.notFound }
            let standing = try Self.newest(notary, db)
            guard let found = try Self.entry(seq, onlyOf: viewer, activity, db) else {
                let dropped = try Bool.fetchOne(
                    db, sql: "SELECT 1 FROM audit_segments WHERE number = ? AND dropped_at IS NOT NULL",
                    arguments: [(seq - 1) / AuditNotary.segment])
                throw dropped == true && viewer == nil ? Problem.dropped : Problem.notFound
            }
            guard seq <= standing.checkpoint.size else { throw Problem.notSigned }
            let path = try AuditTree(db).inclusion(of: seq, in: standing.checkpoint.size)
            let told = found.entry.told
            let inclusion = Inclusion(
                entry: found.entry, line: found.line, told: told, signature: try notary.signer.sign(told, of: found.line, at: seq),
                path: path, standing: standing)
            return (inclusion, viewer == nil)
        }
    }

    private static func entry(
        _ seq: Int64, onlyOf viewer: String?, _ activity: Activity, _ db: Database
    ) throws -> (entry: Activity.Entry, line: String)? {
        var conditions = try activity.conditions(.init(isWhole: true), onlyOf: viewer, in: db)
        conditions.append("a.seq = \(seq)")
        let query: SQL = "SELECT \(sql: AuditLedger.columns) FROM audit a WHERE \(conditions.joined(separator: " AND "))"
        guard let record = try SQLRequest<Row>(literal: query).fetchOne(db).map(AuditLedger.record) else { return nil }
        return try activity.named(activity.ledger.open([record], in: db), seenBy: viewer, in: db).first.map { ($0, record.canonical) }
    }

    /// What was signed last.
    static func newest(_ notary: AuditNotary, _ db: Database) throws -> Standing {
        guard let (checkpoint, note) = try signed("", notary, db) else { throw Problem.notSigned }
        let key = notary.signer.key.publicKey
        return Standing(
            checkpoint: checkpoint, note: note, key: key.rawRepresentation,
            verifier: AuditCheckpoint.verifier(key, of: notary.signer.origin))
    }

    /// The last one of those that were signed.
    private static func signed(_ which: String, _ notary: AuditNotary, _ db: Database) throws -> (AuditCheckpoint, note: String)? {
        let row = try Row.fetchOne(
            db, sql: "SELECT size, root, at, signature FROM audit_checkpoints \(which) ORDER BY size DESC LIMIT 1")
        return row.map { notary.signer.note(of: $0) }
    }
}

extension AuditSigner {
    /// What was signed, from `size, root, at, signature`.
    func note(of row: Row) -> (AuditCheckpoint, note: String) {
        let checkpoint = AuditCheckpoint(origin: origin, size: row[0], root: row[1], at: row[2])
        return (checkpoint, checkpoint.note(row[3], by: key.publicKey))
    }

    /// The house's word that this is what a sealed entry says.
    func sign(_ told: String, of line: String, at seq: Int64) throws -> Data {
        try key.signature(for: AuditBundle.statement(told, of: line, at: seq, in: origin))
    }
}

extension Activity.Entry {
    /// What the house says that an entry says, in the form of RFC 8785.
    var told: String {
        var members = CanonicalJSON.Members(room: 512)
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
        return members.closed
    }
}
