import CardeaStore
import GRDB

/// The search index of the audit log: by person, action, place, time and result.
///
/// No door command waits for it. Entries are listed in small batches, a minute or so after they were written. Searches read through the
/// entries since then.
struct AuditIndex: Sendable {
    /// The number of entries listed in one transaction: a door command meanwhile waits for little more than a commit.
    static let batchSize: Int64 = 16
    /// The number of new entries that are listed before the minute is over, so that no search has to read through more of them.
    static let maxUnindexed: Int64 = 2048

    /// The last entry that is listed; 0 if none is.
    private let end: Int64

    /// The index as seen by the transaction or the read of `db`.
    init(_ db: Database) throws {
        end = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(seq) FROM audit_index")) ?? 0
    }

    /// Lists the next entries.
    ///
    /// - Returns: whether there may be more.
    static func indexNext(in db: Database) throws -> Bool {
        try db.cachedStatement(
            sql: """
                INSERT INTO audit_index (seq, at, actor, subject, device, result, command, action)
                SELECT seq, at, actor, subject, device, result, command, action FROM audit
                WHERE seq > (SELECT coalesce(max(seq), 0) FROM audit_index) ORDER BY seq LIMIT \(batchSize)
                """
        ).execute()
        return db.changesCount == Int(batchSize)
    }

    // MARK: Verifying

    /// The first entry that should be listed and is not, or is listed under other keys than it is filed under: a search would miss it.
    ///
    /// - Parameters:
    ///   - seq: entries up to this one are not checked.
    ///   - last: entries after this one are not checked either.
    static func misfiled(after seq: Int64 = 0, through last: Int64 = .max, in db: Database) throws -> Int64? {
        let filed = ["at", "actor", "subject", "device", "result", "command", "action"]
        return try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT a.seq FROM audit a LEFT JOIN audit_index i ON i.seq = a.seq
                    WHERE a.seq > ? AND a.seq <= min(?, (SELECT max(seq) FROM audit_index))
                        AND (\(filed.map { "i.\($0) IS NOT a.\($0)" }.joined(separator: " OR "))) ORDER BY a.seq LIMIT 1
                    """), arguments: [seq, last])
    }

    // MARK: Searching

    enum Order {
        case oldestFirst, newestFirst

        fileprivate var sql: SQL { self == .oldestFirst ? "ORDER BY a.seq" : "ORDER BY a.seq DESC" }
    }

    /// The entries `a` for which all of `conditions` hold. The conditions may use only indexed columns.
    ///
    /// - Parameters:
    ///   - columns: of `audit a`.
    ///   - seq: entries up to this one are skipped; nil if none are.
    func entries(_ columns: String, after seq: Int64? = nil, where conditions: [SQL], _ order: Order, limit: Int) -> SQL {
        let asked = conditions + (seq.map { ["a.seq > \($0)"] } ?? [])
        let meant = asked.isEmpty ? "1" : asked.joined(separator: " AND ")
        // SQLite starts at the first of two bounds and walks to the other, so the higher one comes first.
        return """
            SELECT \(sql: columns) FROM audit a WHERE a.seq IN (
                SELECT seq FROM (SELECT a.seq FROM audit_index a WHERE \(meant) \(order.sql) LIMIT \(limit))
                UNION ALL
                SELECT seq FROM (SELECT a.seq FROM audit a WHERE a.seq > \(max(end, seq ?? 0)) AND \(meant) \(order.sql) LIMIT \(limit)))
            \(order.sql) LIMIT \(limit)
            """
    }

    /// The number of matching entries.
    func count(where condition: SQL) -> SQL {
        """
        SELECT (SELECT count(*) FROM audit_index a WHERE \(condition))
            + (SELECT count(*) FROM audit a WHERE a.seq > \(end) AND \(condition))
        """
    }

    /// `a` was done by, or concerns, the owner of one of these keys.
    static func concerns(_ names: [Int64]) -> SQL { "(a.actor IN \(names) OR a.subject IN \(names))" }

    /// A later entry is about the same command as `a`.
    var hasLaterEntryOfCommand: SQL {
        """
        (EXISTS (SELECT 1 FROM audit_index later WHERE later.command = a.command AND later.seq > a.seq)
            OR EXISTS (SELECT 1 FROM audit later WHERE later.seq > max(a.seq, \(end)) AND later.command = a.command))
        """
    }
}
