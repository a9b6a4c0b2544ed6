import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Deletes data after its retention, kind by kind, a few hundred rows per commit, so that doors need not wait. The mind deletes its own
/// data.
///
/// Data that is exactly as old as its retention stays. An interrupted sweep continues where it was.
struct RetentionSweep: Sendable {
    let store: Store
    let events: Events
    let checkpointer: AuditCheckpointer

    /// Rows that go in one commit.
    private static let batchSize = 500

    /// - Returns: the number of deleted rows.
    @discardableResult
    func run(at now: Date) async throws -> [RetentionKind: Int] {
        var dropped = try await Readings.sweep(store, at: now)
        dropped[.events] = try await events.sweep(at: now)
        dropped[.audit] = Int(try await checkpointer.drop(before: try await cutoff(.audit, now)))
        dropped[.activity, default: 0] += try await deleteJournal(before: try await cutoff(.activity, now), at: now)
        for holding in DataInventory.policies {
            guard case .days(let kind, let condition) = holding.retention else { continue }
            dropped[kind, default: 0] += try await delete(holding, where: condition, before: try await cutoff(kind, now))
        }
        try await store.write { [dropped] db in
            for kind in RetentionKind.allCases where !kind.isOwnedByMind {
                try RetentionRecords.recordSweep(kind, dropped: dropped[kind] ?? 0, at: now, in: db)
            }
        }
        return dropped
    }

    private func cutoff(_ kind: RetentionKind, _ now: Date) async throws -> Date {
        try await store.read { try RetentionRecords.cutoff(kind, at: now, in: $0) }
    }

    private func delete(_ holding: TableRetentionPolicy, where condition: String, before border: Date) async throws -> Int {
        let sql = """
            DELETE FROM \(holding.table) WHERE \(holding.rowIDExpression) IN (
                SELECT \(holding.rowIDExpression) FROM \(holding.table) WHERE \(condition) LIMIT \(Self.batchSize))
            """
        return try await runInBatches { db in
            try db.execute(sql: sql, arguments: ["border": border.milliseconds])
            return db.changesCount
        }
    }

    /// Deletes the journal from its beginning, without a gap: a reader with a cursor sees by the first remaining row whether it missed any.
    /// A row with a future date goes with its neighbours; if no row has a present date, the clock is wrong and nothing is deleted.
    private func deleteJournal(before border: Date, at now: Date) async throws -> Int {
        let first = try await store.read { db in
            try Int64.fetchOne(
                db, sql: "SELECT seq FROM journal WHERE at BETWEEN ? AND ? ORDER BY seq LIMIT 1",
                arguments: [border.milliseconds, now.addingTimeInterval(86_400).milliseconds]) ?? 0
        }
        return try await runInBatches { db in
            try db.execute(
                sql: "DELETE FROM journal WHERE seq IN (SELECT seq FROM journal WHERE seq < ? ORDER BY seq LIMIT \(Self.batchSize))",
                arguments: [first])
            return db.changesCount
        }
    }

    private func runInBatches(_ body: @escaping @Sendable (Database) throws -> Int) async throws -> Int {
        var dropped = 0
        while true {
            try Task.checkCancellation()
            let count = try await store.write(body)
            dropped += count
            if count < Self.batchSize { return dropped }
        }
    }
}
