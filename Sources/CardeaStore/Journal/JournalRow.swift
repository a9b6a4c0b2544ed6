import CardeaModel
import Foundation
import GRDB

/// One row of the journal, as it was written.
public struct JournalRow: Sendable {
    public let seq: Int64
    public let at: Date
    public let kind: Journal.Kind
    public let deviceID: String?
    /// The subject of the row beside the device: an entity, a command, a pass, a person.
    public let subject: String?
    public let data: [String: JSONValue]
    /// The subject as it was when the row was written; nil in a row that was read.
    public var about: (any Sendable)?

    /// The first of the row's sequence numbers: `seq` itself, unless it is about several devices at once.
    public var firstSeq: Int64 { seq - Int64(max(reachChanges.count, 1)) + 1 }

    /// The devices that became reachable or unreachable with this row, in the order of its numbers, and the revision of each since then.
    public var reachChanges: [(deviceID: String, revision: Double)] {
        guard kind == .reachChanged, case .object(let revisions)? = data["revisions"] else { return [] }
        return revisions.sorted { $0.key < $1.key }.map { ($0.key, $0.value.number ?? 0) }
    }
}

extension Journal {
    /// Rows that came after `seq`, oldest first. A kind that this version does not know is left out; `through` counts it all the same.
    public static func rows(after seq: Int64, limit: Int, in db: Database) throws -> (rows: [JournalRow], through: Int64) {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(columns) FROM journal WHERE seq > ? ORDER BY seq LIMIT ?"), arguments: [seq, limit])
        return (try rows.compactMap(decode), rows.last?[0] ?? seq)
    }

    /// The rows about these devices or this subject only.
    public struct Scope: Sendable {
        public let deviceIDs: Set<String>
        public let subject: String?

        public init(deviceIDs: Set<String>, subject: String?) {
            self.deviceIDs = deviceIDs
            self.subject = subject
        }

        fileprivate enum Direction: String {
            case after = ">"
            case before = "<"

            var order: String { self == .after ? "ASC" : "DESC" }
        }

        fileprivate func rows(_ direction: Direction, _ seq: Int64, limit: Int, in db: Database) throws -> [Row] {
            var arguments: StatementArguments = [seq, subject]
            arguments += StatementArguments(deviceIDs)
            arguments += [limit]
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT \(columns) FROM journal
                    WHERE seq \(direction.rawValue) ?
                        AND (subject = ? OR device_id IN (\(databaseQuestionMarks(count: deviceIDs.count))) OR kind = 'reach_changed')
                    ORDER BY seq \(direction.order) LIMIT ?
                    """, arguments: arguments)
        }
    }

    /// Up to `limit` rows of a part, the oldest first.
    public static func rows(after seq: Int64, of part: Scope, limit: Int, in db: Database) throws -> [JournalRow] {
        try part.rows(.after, seq, limit: limit, in: db).compactMap(decode)
    }

    /// Up to `limit` rows of a part, the latest first.
    public static func rows(before seq: Int64, of part: Scope, limit: Int, in db: Database) throws -> [JournalRow] {
        try part.rows(.before, seq, limit: limit, in: db).compactMap(decode)
    }

    private static let columns = "seq, at, kind, device_id, subject, opened(data, 'journal.data', seq)"

    /// nil for a kind that a newer hub wrote.
    private static func decode(_ row: Row) throws -> JournalRow? {
        guard let kind = Kind(rawValue: row[2]) else { return nil }
        return JournalRow(
            seq: row[0], at: Date(milliseconds: row[1]), kind: kind, deviceID: row[3], subject: row[4], data: try JSONText.object(row[5]))
    }

    /// The highest number that was ever given; 0 in a new house. Its row stays when old ones are dropped.
    public static func last(in db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(seq) FROM journal")) ?? 0
    }

    /// The number of the oldest row that is still kept; nil when there is none.
    public static func first(in db: Database) throws -> Int64? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(seq) FROM journal"))
    }
}
