import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Counts reads with a pass that is not valid now: before its start, after its end, suspended or revoked.
///
/// An open page reads again and again. Such reads are no failed attempts. The first of a day is recorded in the audit log, and the number
/// of reads once the day is over. Between two writes they are counted in memory: a crash loses the count of a few minutes.
public final class GuestReadAuditor: Sendable {
    /// Seconds after which the reads with a pass are written again.
    static let writeInterval: TimeInterval = 300
    /// Passes whose reads are counted in memory at once; those of further ones are written one by one.
    private static let limit = 1024

    private let store: Store
    private let house: House
    private let environment: HubEnvironment
    private let counts = Mutex<[String: Count]>([:])

    /// Looks of one day that are not written yet.
    private struct Count: Sendable {
        let day: String
        var reads = 0
        var writtenAt: Date
    }

    init(store: Store, house: House, environment: HubEnvironment) {
        self.store = store
        self.house = house
        self.environment = environment
    }

    /// Counts a read, and records it in the audit log if it is the pass's first of the day.
    func record(_ action: String, with guestID: String, reason: AuditReason, origin: RequestOrigin) async throws {
        let now = environment.now()
        let today = CalendarDay(now, in: house.current.timeZone).description
        guard !count(guestID, today, at: now) else { return }
        let isWritten = try await store.write(from: origin, at: now) { [self] context -> Bool in
            // A guest who was erased meanwhile is not recorded again.
            guard try GuestRecords.madeAt(guestID, context.db) != nil else { return false }
            if let waiting = counts.withLock({ $0.removeValue(forKey: guestID) }) { try Self.add(waiting, of: guestID, in: context.db) }
            try Self.write(action, guestID, reason, today, in: context)
            return true
        }
        guard isWritten else { return }
        counts.withLock { counts in
            guard counts[guestID]?.day != today, counts.count < Self.limit else { return }
            counts[guestID] = Count(day: today, writtenAt: now)
        }
    }

    /// Counts a read in memory; false if it is time to write.
    private func count(_ guestID: String, _ today: String, at now: Date) -> Bool {
        counts.withLock { counts in
            guard let count = counts[guestID], count.day == today, (0..<Self.writeInterval).contains(now.timeIntervalSince(count.writtenAt))
            else {
                return false
            }
            counts[guestID]?.reads += 1
            return true
        }
    }

    private static func write(
        _ action: String, _ guestID: String, _ reason: AuditReason, _ today: String, in context: AnonymousTransactionContext
    ) throws {
        if let counted = try row(guestID, context.db) {
            if counted["day"] as String == today {
                return try context.db.cachedStatement(sql: "UPDATE guest_looks SET looks = looks + 1 WHERE guest_id = ?").execute(
                    arguments: [guestID])
            }
            try closeDay(counted, at: context.now, in: context.db)
        }
        try context.db.execute(sql: "INSERT INTO guest_looks (guest_id, day, looks) VALUES (?, ?, 1)", arguments: [guestID, today])
        try AuditLog.append(.init(who: .guest(guestID), action: action, grantID: guestID, result: .read, reason: reason), in: context)
    }

    /// Writes the counts that are in memory.
    public func writeCounts() async throws {
        let now = environment.now()
        try await store.write { [self] db in try writeCounts(at: now, in: db) }
    }

    private func writeCounts(at now: Date, in db: Database) throws {
        let waiting = counts.withLock { counts in
            let waiting = counts.filter { $0.value.reads > 0 }
            counts = counts.filter { (0..<Self.writeInterval).contains(now.timeIntervalSince($0.value.writtenAt)) }
            for id in waiting.keys { counts[id]?.reads = 0 }
            return waiting
        }
        for (guestID, count) in waiting { try Self.add(count, of: guestID, in: db) }
    }

    /// Records how often each pass was read on days that are over.
    func closeDays(at now: Date, in zone: TimeZone, _ db: Database) throws {
        try writeCounts(at: now, in: db)
        let over = try Row.fetchAll(
            db, sql: "SELECT guest_id, day, looks FROM guest_looks WHERE day < ? ORDER BY day, guest_id",
            arguments: [CalendarDay(now, in: zone).description])
        for counted in over { try Self.closeDay(counted, at: now, in: db) }
    }

    private static func row(_ guestID: String, _ db: Database) throws -> Row? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT guest_id, day, looks FROM guest_looks WHERE guest_id = ?"), arguments: [guestID])
    }

    private static func add(_ count: Count, of guestID: String, in db: Database) throws {
        guard count.reads > 0 else { return }
        try db.cachedStatement(sql: "UPDATE guest_looks SET looks = looks + ? WHERE guest_id = ? AND day = ?").execute(
            arguments: [count.reads, guestID, count.day])
    }

    /// A single read is recorded already.
    private static func closeDay(_ counted: Row, at now: Date, in db: Database) throws {
        let (guestID, day, looks): (String, String, Int) = (counted["guest_id"], counted["day"], counted["looks"])
        try db.execute(sql: "DELETE FROM guest_looks WHERE guest_id = ?", arguments: [guestID])
        guard looks > 1 else { return }
        try AuditLog.append(
            .init(who: .guest(guestID), action: "look.count", entityID: "looks:\(day):\(looks)", grantID: guestID, result: .read),
            in: .house(db, at: now))
    }
}

extension AuditReason {
    /// True if the reason is the state of the pass, or that it has moved to another phone: the guest asked for nothing outside their
    /// rights.
    var isPassStatus: Bool {
        switch self {
        case .noGrant, .notYetValid, .expired, .outsideSchedule, .usedUp, .suspended, .revoked, .awaitingApproval, .rejected,
            .forbiddenRemote, .tokenReplaced:
            true
        default: false
        }
    }
}
