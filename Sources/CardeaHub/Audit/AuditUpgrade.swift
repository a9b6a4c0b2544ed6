import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging

/// Moves unsealed entries of an older hub into the sealed chain, before any request is served.
///
/// A few hundred entries are moved in one transaction: they are in the chain and no longer unsealed, or neither. After a crash the next
/// start continues.
enum AuditUpgrade {
    static let batchSize = 500

    static func run(_ store: Store, _ keys: AuditKeys, at now: Date, logger: Logger) async throws {
        try await seal(store, logger: logger)
        try await recordLegacyDeletions(store, keys, at: now)
        var last: Int64 = 0
        while let next = try await store.write({ [last] in try markActions(after: last, keys, in: $0) }) { last = next }
    }

    /// Records the deletions made before the audit log recorded them, once. Readers see that nothing else proves them.
    ///
    /// The names are not sealed. In a current house they mean nothing: anyone who can write the database could have added them.
    private static func recordLegacyDeletions(_ store: Store, _ keys: AuditKeys, at now: Date) async throws {
        try await store.write { db in
            let age = try AuditSigner.generation(sealing: keys.sealing, in: db)
            guard age != .current else { return }
            let names = try String.fetchAll(db, sql: "SELECT name FROM audit_gone ORDER BY name")
            if !names.isEmpty, try isLegacy(age, keys, in: db) {
                for name in names {
                    let action = name.hasPrefix("audit_key:") ? AuditKeys.destroyAction : AuditCheckpointer.dropAction
                    try AuditLog.append(
                        .init(who: .house, action: action, entityID: name, result: .done, reason: .beforeRecord), in: .house(db, at: now))
                }
                try db.execute(sql: "DELETE FROM audit_gone")
            }
            try AuditSigner.renew(sealing: keys.sealing, at: now, in: db)
        }
    }

    /// Returns whether the audit log, too, comes from a legacy house. It reads the whole log, and only in a house with deletions to take
    /// over.
    private static func isLegacy(_ age: AuditSigner.Generation, _ keys: AuditKeys, in db: Database) throws -> Bool {
        var older = LegacyAuditMarks(age: age, names: [])
        let statuses = try keys.statuses(in: db)
        let rows = try Row.fetchCursor(db, sql: "SELECT \(AuditLogWriter.columns) FROM audit a")
        while older.isTrusted, let row = try rows.next() {
            // An entry that cannot be decrypted is left to the verification.
            if let note = note(of: AuditLogWriter.record(row), by: statuses) { older.observe(note) }
        }
        return older.isTrusted
    }

    /// Adds the action marks of older entries, so that they can be found by action. An entry that does not open is left to the
    /// verification.
    ///
    /// - Returns: the last entry that was examined; nil if there are no more.
    private static func markActions(after seq: Int64, _ keys: AuditKeys, in db: Database) throws -> Int64? {
        let rows = try Row.fetchAll(
            db, sql: "SELECT \(AuditLogWriter.columns) FROM audit a WHERE action IS NULL AND seq > ? ORDER BY seq LIMIT \(batchSize)",
            arguments: [seq])
        let statuses = try keys.statuses(in: db)
        for record in rows.map(AuditLogWriter.record) {
            guard let action = note(of: record, by: statuses)?.action else { continue }
            for table in ["audit", "audit_index"] {
                try db.cachedStatement(sql: "UPDATE \(table) SET action = ? WHERE seq = ?")
                    .execute(arguments: [keys.mark(.action, action), record.seq])
            }
        }
        return rows.last.map { $0[0] }
    }

    private static func note(of record: AuditRecord, by statuses: [Int64: AuditKeys.Status]) -> UnsealedAuditEntry? {
        do { return try AuditLogWriter.open(record, by: statuses) } catch { return nil }
    }

    private static func seal(_ store: Store, logger: Logger) async throws {
        guard try await store.read({ try $0.tableExists("audit_plain") }) else { return }
        var count = 0
        while true {
            let moved = try await store.write { try move($0) }
            if moved == 0 { break }
            count += moved
        }
        // Deleted rows are overwritten, but the write-ahead log still holds them. The table is dropped last: an interrupted upgrade finds
        // it and repeats this step.
        try await store.checkpoint()
        try await store.write { try $0.execute(sql: "DROP TABLE audit_plain") }
        guard count > 0 else { return }
        logger.notice("audit log encrypted", metadata: ["entries": "\(count)"])
    }

    /// Moves the oldest entries, and returns their number.
    static func move(_ db: Database) throws -> Int {
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM audit_plain ORDER BY id LIMIT \(batchSize)")
        guard let last = rows.last else { return 0 }
        for row in rows { try db.enqueue(UnsealedAuditEntry(plain: row)) }
        try db.execute(sql: "DELETE FROM audit_plain WHERE id <= ?", arguments: [last["id"] as Int64])
        return rows.count
    }
}

extension UnsealedAuditEntry {
    fileprivate init(plain row: Row) {
        self.init(at: Date(milliseconds: row["at"]), kind: row["who_kind"], id: row["who_id"], action: row["action"], result: row["result"])
        deviceID = row["device_id"]
        entityID = row["entity_id"]
        grantID = row["grant_id"]
        // Free text of an older hub is not kept: it would outlive the people it may name.
        reason = (row["reason"] as String?).map { AuditReason(rawValue: $0) ?? .unlisted }
        commandID = row["command_id"]
        journalSeq = row["journal_seq"]
        remote = row["remote"]
        requestID = row["request_id"]
    }
}
