import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// Walks the whole audit log and reports the first problem.
public enum AuditVerification {
    /// Verifies the log of a house that no hub serves just now.
    ///
    /// - Returns: the problem in words; nil if all entries are as they were written. Entries cut off at the end are missed if they were
    ///   signed; if their signatures were cut off too, the file beside the database shows it.
    /// - Throws: `HouseKeyError.doesNotOpen` if the signing key is damaged: such a house cannot be served.
    public static func problem(in store: Store, sealing: SealingKey) async throws -> String? {
        try await verifyStored(at: store, sealing: sealing, against: []).problem
    }

    /// Verifies that the audit keys can be opened, without which a hub cannot serve the house.
    ///
    /// - Throws: `HouseKeyError.doesNotOpen` or `AuditKeyError` if one of them does not open.
    static func requireKeys(_ db: Database, sealing: SealingKey) throws {
        _ = try AuditSigner.publicKey(sealing: sealing, in: db)
        guard try Bool.fetchOne(db, sql: "SELECT 1 FROM audit_keys") == true else { return }
        _ = try AuditKeys(sealing: sealing, at: .distantPast, in: db)
    }

    static func problem(_ db: Database, sealing: SealingKey) throws -> String? {
        try verifyStored(db, sealing: sealing, against: []).problem
    }

    /// The same, compared with signed notes that were kept. The owner of the house's key can write and sign another log, but not one that
    /// extends the kept notes.
    ///
    /// - Returns: the problem in words, and the sizes of the notes that could not be compared because their entries were dropped.
    public static func verifyStored(
        at store: Store, sealing: SealingKey, against notes: [String]
    ) async throws -> (problem: String?, uncompared: [Int64]) {
        // The file is written first: the database may be ahead of it, and never behind.
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

    /// - Returns: the sizes of notes that could not be compared.
    private static func verify(_ db: Database, sealing: SealingKey, against notes: [String]) throws -> [Int64] {
        // A house that was never served has no keys, and nothing to verify. One that was has both.
        guard try Bool.fetchOne(db, sql: "SELECT 1 FROM audit_keys") == true else {
            guard notes.isEmpty else { throw ForeignCheckpointError() }
            // Unsealed entries of an older hub are sealed at the next start.
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

    /// Verifies each entry's position and hash, that it opens with the remaining keys, that its time is the sealed one, that it is filed
    /// correctly, in its row and in the index, and that it matches the signed roots. Dropped entries are represented by their segments.
    ///
    /// - Returns: the verifier's state after the last entry.
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

/// A kept note of the audit log was not signed by this house's key.
struct ForeignCheckpointError: Error, CustomStringConvertible {
    var description: String { "A stored checkpoint was not signed by the key of this house." }
}

/// Unsealed records of deletions made before the audit log recorded them. Anyone who can write the database can forge them. They are
/// trusted only in a house whose signing key has the legacy seal and whose entries show nothing that only a later hub does.
struct LegacyAuditMarks: Sendable {
    private let generation: AuditSigner.Generation
    private let names: Set<String>
    /// True while everything observed fits a legacy house.
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
        // A hub that records deletions has first taken over the earlier ones, and has recorded that.
        if note.action == AuditKeys.destroyAction || note.action == AuditCheckpointer.dropAction { isTrusted = false }
        if AuditSigner.isRenewal(by: note) { isTrusted = false }
        // The missing key existed once.
        if generation == .keyless, AuditSigner.isCreation(by: note) { isTrusted = false }
    }
}
