import CardeaModel
import Foundation
import GRDB

/// The mark of the clock, as a row.
public enum ClockRecords {
    /// nil in a house that has not checked its clock yet.
    public static func mark(_ db: Database) throws -> ClockTrust? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT sure_at, looked_at, leapt_at FROM clock")).map { row in
            ClockTrust(
                trustedUntil: Date(milliseconds: row[0]), observedAt: Date(milliseconds: row[1]),
                jumpedAt: (row[2] as Int64?).map(Date.init(milliseconds:)))
        }
    }

    /// The time by which data is deleted: the clock's, or the last trusted one while the clock is doubted.
    public static func trustedTime(of now: Date, _ db: Database) throws -> Date { try mark(db)?.trustedTime(of: now) ?? now }

    /// The time of the newest audit entry; nil if there is none.
    public static func lastAuditDate(_ db: Database) throws -> Date? {
        try Int64.fetchOne(db, sql: "SELECT max(at) FROM (SELECT at FROM audit ORDER BY seq DESC LIMIT 100)").map(Date.init(milliseconds:))
    }

    public static func set(_ mark: ClockTrust, in db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO clock (id, sure_at, looked_at, leapt_at) VALUES (1, ?, ?, ?)",
            arguments: [mark.trustedUntil.milliseconds, mark.observedAt.milliseconds, mark.jumpedAt?.milliseconds])
    }
}
