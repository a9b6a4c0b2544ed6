import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Looks with a pass that is not good now: before its start, after its end, paused or taken back.
///
/// A page that stays open looks again and again. It tries nothing, so its looks are no failed attempts. The first of a day is on record, and
/// how many there were once the day is over.
enum GuestLooks {
    /// Counts a look, and puts it on record where it is the pass's first of the day.
    static func note(
        _ action: String, with guestID: String, reason: AuditReason, origin: Origin, at now: Date, in zone: TimeZone, _ db: Database
    ) throws {
        // Whoever was erased while they looked is not written down again.
        guard try GuestRecords.madeAt(guestID, db) != nil else { return }
        let today = CalendarDay(now, in: zone).description
        if let counted = try row(guestID, db) {
            if counted["day"] as String == today {
                try db.cachedStatement(sql: "UPDATE guest_looks SET looks = looks + 1 WHERE guest_id = ?").execute(arguments: [guestID])
                return
            }
            try close(counted, at: now, in: db)
        }
        try db.execute(sql: "INSERT INTO guest_looks (guest_id, day, looks) VALUES (?, ?, 1)", arguments: [guestID, today])
        try AuditTrail.append(
            .init(who: .guest(guestID), action: action, grantID: guestID, result: .read, reason: reason), origin: origin, at: now, in: db)
    }

    /// Puts on record how often each pass was looked at on days that are over.
    static func closeDays(at now: Date, in zone: TimeZone, _ db: Database) throws {
        let over = try Row.fetchAll(
            db, sql: "SELECT guest_id, day, looks FROM guest_looks WHERE day < ? ORDER BY day, guest_id",
            arguments: [CalendarDay(now, in: zone).description])
        for counted in over { try close(counted, at: now, in: db) }
    }

    private static func row(_ guestID: String, _ db: Database) throws -> Row? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT guest_id, day, looks FROM guest_looks WHERE guest_id = ?"), arguments: [guestID])
    }

    /// One look alone is on record already.
    private static func close(_ counted: Row, at now: Date, in db: Database) throws {
        let (guestID, day, looks): (String, String, Int) = (counted["guest_id"], counted["day"], counted["looks"])
        try db.execute(sql: "DELETE FROM guest_looks WHERE guest_id = ?", arguments: [guestID])
        guard looks > 1 else { return }
        try AuditTrail.append(
            .init(who: .guest(guestID), action: "look.count", entityID: "looks:\(day):\(looks)", grantID: guestID, result: .read),
            origin: .house, at: now, in: db)
    }
}

extension AuditReason {
    /// Whether a pass is not good now, or is not this phone's any more: nothing that its guest has no right to was asked for.
    var isOfStanding: Bool {
        switch self {
        case .noGrant, .notYetValid, .expired, .outsideSchedule, .usedUp, .suspended, .revoked, .awaitingApproval, .rejected,
            .forbiddenRemote, .tokenReplaced:
            true
        default: false
        }
    }
}
