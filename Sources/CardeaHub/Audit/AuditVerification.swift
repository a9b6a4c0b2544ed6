import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// Walks the whole audit trail and says what is wrong with it first.
public enum AuditVerification {
    /// Verifies the trail of a house that nobody serves just now.
    ///
    /// - Returns: in words what is wrong; nil when all entries are as they were written. Entries cut off at the end are missed if they were
    ///   signed; if their signatures were cut off too, the file beside the database tells of it.
    /// - Throws: `HouseKeyError.doesNotOpen` where the key that signs the record is damaged: such a house cannot be served.
    public static func problem(in store: Store, sealing: SealingKey) async throws -> String? {
        try await verifyStored(at: store, sealing: sealing, against: []).problem
    }

    /// Whether a hub could serve the house, by the keys of its record.
    ///
    /// - Throws: `HouseKeyError.doesNotOpen` or `AuditKeyError` where one of them does not open.
    static func requireKeys(_ db: Database, sealing: SealingKey) throws {
        _ = try AuditSigner.publicKey(sealing: sealing, in: db)
        guard try Bool.fetchOne(db, sql: "SELECT 1 FROM audit_keys") == true else { return }
        _ = try AuditKeys(sealing: sealing, at: .distantPast, in: db)
    }

    static func problem(_ db: Database, sealing: SealingKey) throws -> String? {
        try verifyStored(db, sealing: sealing, against: []).problem
    }

    /// The same, held against signed notes of it that somebody kept: whoever has the house's key can write another trail and sign it, and not
    /// one that goes on from what was seen before.
    ///
    /// - Returns: in words what is wrong, and the sizes of notes of which nothing can be said, since what they are of was dropped.
    public static func verifyStored(
        at store: Store, sealing: SealingKey, against notes: [String]
    ) async throws -> (problem: String?, uncompared: [Int64]) {
        // The file first: the database may be ahead of it, and never behind.
        let kept = [AuditCheckpointFile(of: store)?.read()].compactMap(\.self)
        return try await store.read { db in
            let found = try verifyStored(db, sealing: sealing, against: notes + kept)
            guard notes.isEmpty, !kept.isEmpty, found.problem == ForeignCheckpointError().description else { return found }
            return (AuditCheckpointFile.foreignSignatureMessage, [])
        }
    }

    private static func verifyStored(
        _ db: Database, sealing: SealingKey, against notes: [String]
    ) throws -> (problem: String?, uncompared: [Int64]) {
        do {
            return (nil, try verify(db, sealing: sealing, against: notes))
        } catch let problem as AuditChain.ChainError {
            return (problem.description, [])
        } catch let problem as AuditKeyError {
            return (problem.description, [])
        } catch let problem as ForeignCheckpointError {
            return (problem.description, [])
        }
    }

    /// - Returns: sizes of notes that nothing could be held against.
    private static func verify(_ db: Database, sealing: SealingKey, against notes: [String]) throws -> [Int64] {
        // A house that was never served has no keys, and nothing to verify. One that was has both.
        guard try Bool.fetchOne(db, sql: "SELECT 1 FROM audit_keys") == true else {
            guard notes.isEmpty else { throw ForeignCheckpointError() }
            // What an older hub wrote in the clear is sealed at the next start.
            if try db.tableExists("audit_plain") { return [] }
            let isNew = try Bool.fetchOne(
                db,
                sql: """
                    SELECT NOT EXISTS (SELECT 1 FROM house WHERE claimed_at IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM audit)
                        AND NOT EXISTS (SELECT 1 FROM audit_segments) AND NOT EXISTS (SELECT 1 FROM audit_checkpoints)
                    """)
            guard isNew == true else { throw AuditChain.ChainError(seq: 1, fault: .keyless) }
            return []
        }
        let keys = try AuditKeys(sealing: sealing, at: .distantPast, in: db)
        return try verify(db, with: keys, signer: AuditSigner.publicKey(sealing: sealing, in: db), against: notes).uncomparedSizes
    }

    /// Each entry's place and hash, that it opens with the keys that are left, that its moment is the one it was sealed with, that it is filed
    /// under what it is about, there and in the index, and that it is what was signed. Of what was dropped, its segments stand for it.
    ///
    /// - Returns: how everything stands at the last entry.
    @discardableResult
    static func verify(
        _ db: Database, with keys: AuditKeys, signer: Curve25519.Signing.PublicKey?, against notes: [String] = []
    ) throws -> AuditVerifier {
        var walk = try AuditVerifier(db, with: keys, signer: signer, against: notes)
        let rows = try Row.fetchCursor(db, sql: "SELECT \(AuditVerifier.columns) FROM audit a ORDER BY a.seq")
        while let row = try rows.next() { try walk.verify(AuditVerifier.StoredEntry(row)) }
        try walk.finish()
        if let seq = try AuditIndex.misfiled(in: db) { throw AuditChain.ChainError(seq: seq, fault: .misfiled) }
        return walk
    }
}

/// A note of the trail that somebody kept was not signed by this house's key.
struct ForeignCheckpointError: Error, CustomStringConvertible {
    var description: String { "A note that was kept was not signed by the key of this house." }
}

/// What is said in the clear to have gone before the trail told of such things. Whoever can write the database can say it: it is believed only
/// of a house whose sealed key is one from before, and whose entries, too, tell of nothing that a later hub does.
struct LegacyAuditMarks: Sendable {
    private let generation: AuditSigner.Generation
    private let names: Set<String>
    /// Whether the house is one from before, by all that was seen of it.
    private(set) var isTrusted: Bool

    init(age: AuditSigner.Generation, names: Set<String>) {
        (self.generation, self.names) = (age, names)
        isTrusted = age != .current
    }

    init(_ db: Database, sealing: SealingKey) throws {
        self.init(
            age: try AuditSigner.generation(sealing: sealing, in: db), names: try String.fetchSet(db, sql: "SELECT name FROM audit_gone"))
    }

    var trustedNames: Set<String> { isTrusted ? names : [] }

    mutating func observe(_ note: UnsealedAuditEntry) {
        // A hub that tells of one had first taken over what went before, and says itself that it had.
        if note.action == AuditKeys.destroyAction || note.action == AuditCheckpointer.dropAction { isTrusted = false }
        if AuditSigner.isRenewal(by: note) { isTrusted = false }
        // The key that is not there was there once.
        if generation == .keyless, AuditSigner.isCreation(by: note) { isTrusted = false }
    }
}
