import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// What the house is still to hear of, as rows. An entry leaves the table in the transaction that takes in what came of it.
struct Outbox: Sendable {
    let sealing: SealingKey
    let documents: DocumentTable

    init(sealing: SealingKey) {
        self.sealing = sealing
        documents = DocumentTable(sealing: sealing)
    }

    /// What is said in order. What a device is called keeps back nothing that it is asked to do.
    func lane(of operation: OutboxOperation) -> Data {
        let subject = operation.subject
        if case .edit = operation, subject.kind == .device { return documents.key(.device, "\(subject.id)/words") }
        return documents.key(subject.kind, subject.id)
    }

    /// - Parameter isNext: whether it comes before all that waits, as what was wished before it does.
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

    /// In the order in which it was wished.
    func all(in db: Database) throws -> [OutboxEntry] {
        try Row.fetchAll(db, sql: "SELECT \(Self.columns) FROM outbox ORDER BY position").map(entry)
    }

    /// What stands in the clear of an entry that the house may still hear of.
    struct EntryHeader {
        let id: String
        let lane: Data
        let madeAt: Date
        let notAfter: Date?
        let status: OutboxEntry.Status
    }

    /// What the house may still hear of, in order; opened only where it is needed.
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

    /// How many the house may still hear of, and how many ended.
    func counts(in db: Database) throws -> (waiting: Int, ended: Int) {
        let row = try Row.fetchOne(
            db, sql: "SELECT count(*) FILTER (WHERE status <> 'ended'), count(*) FILTER (WHERE status = 'ended') FROM outbox")
        return (row?[0] ?? 0, row?[1] ?? 0)
    }

    /// What the house may still hear of.
    func pendingEntries(in db: Database) throws -> [OutboxEntry] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT \(Self.columns) FROM outbox WHERE status <> 'ended' ORDER BY position")).map(entry)
    }

    /// Entries that never will be done, and questions that were answered.
    func endedEntries(in db: Database) throws -> [OutboxEntry] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT \(Self.columns) FROM outbox WHERE status = 'ended' ORDER BY position")).map(entry)
    }

    /// Whether something about the same thing is still to be said.
    func isBusy(_ lane: Data, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM outbox WHERE lane = ? AND status <> 'ended')", arguments: [lane]) ?? false
    }

    func find(_ id: String, in db: Database) throws -> OutboxEntry? {
        try Row.fetchOne(db, sql: "SELECT \(Self.columns) FROM outbox WHERE id = ?", arguments: [id]).map(entry)
    }

    /// From here on the house may have heard of it.
    func markSent(_ id: String, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE outbox SET status = 'sent' WHERE id = ?").execute(arguments: [id])
    }

    /// The house certainly heard nothing.
    func markUnsent(_ id: String, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE outbox SET status = 'waiting' WHERE id = ?").execute(arguments: [id])
    }

    /// What waits about the same thing was wished of it as it was to be after this: it has seen what this made of it.
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

    /// The house was asked, and gave no answer that ends it. Returns how often that has happened.
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
