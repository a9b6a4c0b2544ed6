import CardeaModel
import Foundation
import GRDB

/// One row of the journal, as it was written.
public struct JournalRow: Sendable {
    public let seq: Int64
    public let at: Date
    public let kind: Journal.Kind
    public let deviceID: String?
    /// What the row is about beside the device: an entity, a command, a pass, a person.
    public let subject: String?
    public let data: [String: JSONValue]
    /// What the row is about, as it was when the row was written; nil in one that was read.
    public var about: (any Sendable)?
}

extension Journal {
    /// Rows that came after `seq`, oldest first. A kind that this version does not know is left out; `through` counts it all the same.
    public static func rows(after seq: Int64, limit: Int, in db: Database) throws -> (rows: [JournalRow], through: Int64) {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql:
                    "SELECT seq, at, kind, device_id, subject, opened(data, 'journal.data', seq) FROM journal WHERE seq > ? ORDER BY seq LIMIT ?"
            ),
            arguments: [seq, limit])
        let known = try rows.compactMap { row -> JournalRow? in
            guard let kind = Kind(rawValue: row[2]) else { return nil }
            return JournalRow(
                seq: row[0], at: Date(milliseconds: row[1]), kind: kind, deviceID: row[3], subject: row[4],
                data: try JSONText.object(row[5]))
        }
        return (known, rows.last?[0] ?? seq)
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
