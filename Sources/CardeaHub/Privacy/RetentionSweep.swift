import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Forgets what has outlived its time, kind by kind, a few hundred rows in a commit: a door does not wait for this. The mind forgets by itself.
///
/// What is exactly as old as its time stays. Broken off anywhere, it goes on where it was.
struct RetentionSweep: Sendable {
    let store: Store
    let events: Events
    let checkpointer: AuditCheckpointer

    /// Rows that go in one commit.
    private static let batchSize = 500

    /// - Returns: how many rows went.
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

    /// The journal goes from its beginning on, without a gap: whoever reads on from a cursor sees by the first row that is left whether they
    /// missed any. A row of a clock that ran ahead goes with its neighbours; where no row is of these days it is the clock that is not to be
    /// believed, and nothing goes.
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
