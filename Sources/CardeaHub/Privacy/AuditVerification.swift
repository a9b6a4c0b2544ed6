import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Walks the whole audit trail and says what is wrong with it first.
public enum AuditVerification {
    /// Verifies the trail of a house that nobody serves just now.
    ///
    /// - Returns: in words what is wrong; nil when all entries are as they were written. Entries cut off at the end are not noticed.
    public static func problem(in store: Store, sealing: SealingKey) async throws -> String? {
        do {
            try await store.read { db in
                // A house that was never served has no keys, and nothing to verify.
                guard try Bool.fetchOne(db, sql: "SELECT 1 FROM audit_keys") == true else { return }
                try verify(db, with: AuditKeys(sealing: sealing, at: .distantPast, in: db))
            }
            return nil
        } catch let problem as AuditChain.Break {
            return problem.description
        } catch let problem as AuditKeyProblem {
            return problem.description
        }
    }

    /// Each entry's place and hash, that it opens with the keys that are left, that its moment is the one it was sealed with, and that
    /// it is filed under what it is about.
    ///
    /// - Returns: the chain up to the last entry.
    @discardableResult
    static func verify(_ db: Database, with keys: AuditKeys) throws -> AuditChain {
        let standings = try keys.standings(in: db)
        var chain = AuditChain()
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(AuditLedger.columns), a.hash, a.device, a.result, a.command FROM audit a ORDER BY a.seq")
        while let row = try rows.next() {
            let record = AuditLedger.record(row)
            // In this order: one that is not there is named before the next one, whose own words may all be true.
            try chain.expect(record.seq)
            let note = try AuditLedger.open(record, by: standings)
            guard note.at.milliseconds == record.at else { throw AuditChain.Break(seq: record.seq, fault: .forged) }
            try chain.verify(AuditChain.Link(seq: record.seq, entry: record.canonical, hash: row[9]))
            let filed: (Int64?, Int64, Int64?) = (row[10], row[11], row[12])
            let (device, command) = (note.deviceID.map { keys.mark("device", $0) }, note.commandID.map { keys.mark(command: $0) })
            guard filed == (device, keys.mark("result", note.result), command) else {
                throw AuditChain.Break(seq: record.seq, fault: .misfiled)
            }
        }
        return chain
    }
}
