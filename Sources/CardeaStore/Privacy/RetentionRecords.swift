import CardeaModel
import Foundation
import GRDB

/// The retention times, as rows.
public enum RetentionRecords {
    /// The retention of one kind.
    public struct RetentionStatus: Hashable, Sendable {
        public let kind: RetentionKind
        public let days: Int
        /// More cannot be chosen.
        public let mostDays: Int
        /// When it was last seen to; nil if it has not been yet.
        public let sweptAt: Date?
        /// The number of rows deleted since the house exists.
        public let dropped: Int
    }

    /// - Parameter most: the days kept unless the owner has chosen fewer; nil for the default.
    public static func days(_ kind: RetentionKind, most: Int? = nil, in db: Database) throws -> Int {
        let chosen = try Int.fetchOne(db.cachedStatement(sql: "SELECT days FROM retention WHERE kind = ?"), arguments: [kind.rawValue])
        let most = most ?? kind.defaultDays
        return min(chosen ?? most, most)
    }

    /// Returns the moment before which data of a kind may be deleted. No data is deleted by a clock that is not trusted.
    public static func cutoff(_ kind: RetentionKind, most: Int? = nil, at now: Date, in db: Database) throws -> Date {
        try ClockRecords.trustedTime(of: now, db).addingTimeInterval(-Double(try days(kind, most: most, in: db)) * 86_400)
    }

    /// - Parameter most: days of a kind that are kept if the owner has not chosen fewer.
    public static func all(most: (RetentionKind) -> Int, _ db: Database) throws -> [RetentionStatus] {
        let rows = try GRDB.Row.fetchAll(db, sql: "SELECT kind, swept_at, dropped FROM retention")
        let known = rows.reduce(into: [String: GRDB.Row]()) { $0[$1[0] as String] = $1 }
        return try RetentionKind.allCases.map { kind in
            RetentionStatus(
                kind: kind, days: try days(kind, most: most(kind), in: db), mostDays: most(kind),
                sweptAt: (known[kind.rawValue]?[1] as Int64?).map(Date.init(milliseconds:)), dropped: known[kind.rawValue]?[2] ?? 0)
        }
    }

    public static func setDays(_ days: Int, of kind: RetentionKind, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO retention (kind, days) VALUES (?, ?) ON CONFLICT (kind) DO UPDATE SET days = excluded.days",
            arguments: [kind.rawValue, days])
    }

    /// Records a sweep of a kind, and the number of deleted rows.
    public static func recordSweep(_ kind: RetentionKind, dropped: Int, at now: Date, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO retention (kind, swept_at, dropped) VALUES (?, ?, ?)
                ON CONFLICT (kind) DO UPDATE SET swept_at = excluded.swept_at, dropped = retention.dropped + excluded.dropped
                """, arguments: [kind.rawValue, now.milliseconds, dropped])
    }
}
