import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The table of operations still to be sent to the house. An entry leaves it in the transaction that stores its result.
struct Outbox: Sendable {
    let sealing: SealingKey
    let documents: ReplicaDocumentTable

    init(sealing: SealingKey) {
        self.sealing = sealing
        documents = ReplicaDocumentTable(sealing: sealing)
    }

    /// The key of operations that are sent in order. Renaming a device does not delay commands to it.
    func lane(of operation: OutboxOperation) -> Data {
        let subject = operation.subject
        if case .edit = operation, subject.kind == .device { return documents.key(.device, "\(subject.id)/words") }
        return documents.key(subject.kind, subject.id)
    }

    /// - Parameter isNext: true to put it before all waiting operations.
    func add(
        _ id: String, _ operation: OutboxOperation, at now: Date, notAfter: Date?, isNext: Bool = false, in db: Database
    ) throws {
        guard try counts(in: db).waiting < OfflinePolicy.queueLimit else { throw OfflineQueueError.queueFull }
        let first = try isNext ? Int64.fetchOne(db, sql: "SELECT min(position) - 1 FROM outbox") : nil
        try db.cachedStatement(
            sql: "INSERT INTO outbox (position, id, lane, sealed, made_at, not_after) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            first, id, lane(of: operation), try sealing.seal(JSONEncoder().encode(operation), for: "outbox/\(id)/operation"),
            now.milliseconds,
            notAfter?.milliseconds,
        ])
    }

    /// All entries, in the order in which they were made.
    func all(in db: Database) throws -> [OutboxEntry] {
        try Row.fetchAll(db, sql: "SELECT \(Self.columns) FROM outbox ORDER BY position").map(entry)
    }

    /// The unencrypted columns of a pending entry.
    struct EntryHeader {
        let id: String
        let lane: Data
        let madeAt: Date
        let notAfter: Date?
        let status: OutboxEntry.Status
    }

    /// The headers of pending entries, in order; an operation is decrypted only when needed.
    func headers(in db: Database) throws -> [EntryHeader] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT id, lane, made_at, not_after, status = 'sent' FROM outbox WHERE status <> 'ended' ORDER BY position")
        ).map { row in
            EntryHeader(
                id: row[0], lane: row[1], madeAt: Date(milliseconds: row[2]), notAfter: (row[3] as Int64?).map(Date.init(milliseconds:)),
                status: row[4] ? .sent : .waiting)
        }
    }

    /// The numbers of pending and of ended entries.
    func counts(in db: Database) throws -> (waiting: Int, ended: Int) {
        let row = try Row.fetchOne(
            db, sql: "SELECT count(*) FILTER (WHERE status <> 'ended'), count(*) FILTER (WHERE status = 'ended') FROM outbox")
        return (row?[0] ?? 0, row?[1] ?? 0)
    }

    /// The pending entries, in order.
    func pendingEntries(in db: Database) throws -> [OutboxEntry] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT \(Self.columns) FROM outbox WHERE status <> 'ended' ORDER BY position")).map(entry)
    }

    /// Operations that will never be done, and questions that were answered.
    func endedEntries(in db: Database) throws -> [OutboxEntry] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT \(Self.columns) FROM outbox WHERE status = 'ended' ORDER BY position")).map(entry)
    }

    /// Returns whether an operation in this lane is still pending.
    func isBusy(_ lane: Data, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM outbox WHERE lane = ? AND status <> 'ended')", arguments: [lane]) ?? false
    }

    func find(_ id: String, in db: Database) throws -> OutboxEntry? {
        try Row.fetchOne(db, sql: "SELECT \(Self.columns) FROM outbox WHERE id = ?", arguments: [id]).map(entry)
    }

    /// From here on the house may have received it.
    func markSent(_ id: String, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE outbox SET status = 'sent' WHERE id = ?").execute(arguments: [id])
    }

    /// The house certainly received nothing.
    func markUnsent(_ id: String, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE outbox SET status = 'waiting' WHERE id = ?").execute(arguments: [id])
    }

    /// Updates the version that later edits in the lane were based on: they were made on top of the edit that was just applied.
    func rebase(_ lane: Data, from seen: Int, to version: Int, in db: Database) throws {
        let rows = try Row.fetchAll(db, sql: "SELECT \(Self.columns) FROM outbox WHERE lane = ? AND status = 'waiting'", arguments: [lane])
        for entry in try rows.map(entry) {
            guard case .edit(let edit) = entry.operation, edit.seen == seen else { continue }
            let operation = OutboxOperation.edit(edit.rebased(seeing: version))
            try db.execute(
                sql: "UPDATE outbox SET sealed = ? WHERE id = ?",
                arguments: [try sealing.seal(JSONEncoder().encode(operation), for: "outbox/\(entry.id)/operation"), entry.id])
        }
    }

    /// Records a try without a final answer. Returns the number of such tries.
    func recordAttempt(_ id: String, in db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "UPDATE outbox SET tries = min(tries + 1, \(OutboxEntry.attemptLimit)) WHERE id = ? RETURNING tries", arguments: [id])
            ?? 0
    }

    func end(_ id: String, _ ending: OutboxOutcome, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE outbox SET status = 'ended', ending_sealed = ? WHERE id = ?").execute(
            arguments: [try sealing.seal(JSONEncoder().encode(ending), for: "outbox/\(id)/ending"), id])
    }

    func remove(_ id: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM outbox WHERE id = ?").execute(arguments: [id])
    }

    private static let columns = "id, sealed, made_at, not_after, tries, status, ending_sealed"

    private func entry(_ row: Row) throws -> OutboxEntry {
        let id: String = row[0]
        let status: OutboxEntry.Status =
            if let sealed = row[6] as Data? {
                .ended(try JSONDecoder().decode(OutboxOutcome.self, from: sealing.open(sealed, for: "outbox/\(id)/ending")))
            } else {
                row[5] == "sent" ? .sent : .waiting
            }
        return OutboxEntry(
            id: id, operation: try JSONDecoder().decode(OutboxOperation.self, from: sealing.open(row[1], for: "outbox/\(id)/operation")),
            madeAt: Date(milliseconds: row[2]), notAfter: (row[3] as Int64?).map(Date.init(milliseconds:)), tries: row[4], status: status)
    }
}
