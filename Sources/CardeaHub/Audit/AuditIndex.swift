import CardeaStore
import GRDB

/// By what entries of the audit trail are found: whose they are, what was done, where, when and with what result.
///
/// No door waits for it. Entries are listed a few at once, a minute or so after they were written, and whoever searches reads through
/// those that came since.
struct AuditIndex: Sendable {
    /// Entries that are listed in one transaction: a door that comes meanwhile waits for little more than a commit.
    static let batchSize: Int64 = 16
    /// Entries after which it does not wait for the minute, so that nobody who searches has more of them to read through.
    static let maxUnindexed: Int64 = 2048

    /// The last entry that is listed; 0 where none is.
    private let end: Int64

    /// The index as it stands in the transaction or the reading that `db` is in.
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

    /// The first entry that should be listed by now and is not, or is listed otherwise than it is filed: whoever searches would miss it.
    ///
    /// - Parameters:
    ///   - seq: entries up to this one are not looked at.
    ///   - last: nor are entries after this one.
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

    /// The entries `a` for which all of `conditions` hold, which may name what the index has of an entry and nothing else.
    ///
    /// - Parameters:
    ///   - columns: of `audit a`.
    ///   - seq: entries up to this one are not looked at; nil where none are known.
    func entries(_ columns: String, after seq: Int64? = nil, where conditions: [SQL], _ order: Order, limit: Int) -> SQL {
        let asked = conditions + (seq.map { ["a.seq > \($0)"] } ?? [])
        let meant = asked.isEmpty ? "1" : asked.joined(separator: " AND ")
        // Of two bounds SQLite begins at the first, and goes through what is between them: so the higher one comes first.
        return """
            SELECT \(sql: columns) FROM audit a WHERE a.seq IN (
                SELECT seq FROM (SELECT a.seq FROM audit_index a WHERE \(meant) \(order.sql) LIMIT \(limit))
                UNION ALL
                SELECT seq FROM (SELECT a.seq FROM audit a WHERE a.seq > \(max(end, seq ?? 0)) AND \(meant) \(order.sql) LIMIT \(limit)))
            \(order.sql) LIMIT \(limit)
            """
    }

    /// How many there are.
    func count(where condition: SQL) -> SQL {
        """
        SELECT (SELECT count(*) FROM audit_index a WHERE \(condition))
            + (SELECT count(*) FROM audit a WHERE a.seq > \(end) AND \(condition))
        """
    }

    /// That `a` is of somebody whose keys have these names: they did it, or it concerns them.
    static func concerns(_ names: [Int64]) -> SQL { "(a.actor IN \(names) OR a.subject IN \(names))" }

    /// That a later entry tells of the same command as `a`.
    var hasLaterEntryOfCommand: SQL {
        """
        (EXISTS (SELECT 1 FROM audit_index later WHERE later.command = a.command AND later.seq > a.seq)
            OR EXISTS (SELECT 1 FROM audit later WHERE later.seq > max(a.seq, \(end)) AND later.command = a.command))
        """
    }
}
