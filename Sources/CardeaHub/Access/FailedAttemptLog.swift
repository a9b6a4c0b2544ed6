import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Failed attempts of callers whom the house does not know: how often each address may fail, and which failures go on record.
///
/// Each address has a bound of its own, which makes the caller wait. All addresses together have another one, which makes nobody wait: beyond
/// it failures are not put on record, so that no number of addresses fills the disk.
enum FailedAttemptLog {
    /// Puts on record that an unknown caller was refused, within both bounds.
    static func recordRefusal(_ action: String, reason: AuditReason, origin: RequestOrigin, at now: Date, in db: Database) throws {
        let entry = AuditLog.Entry(who: .stranger, action: action, result: .refused, reason: reason)
        _ = try recordFailure(entry, from: origin, at: now, in: db)
    }

    /// Counts a failed attempt from an address, and puts `entry` on record unless all addresses together have used up the house's bound.
    /// Callers without an address are counted as one.
    ///
    /// - Parameter entry: nil where the failure is counted only.
    /// - Returns: the seconds for which the address has to wait; nothing is counted and nothing is written then. Nil otherwise.
    static func recordFailure(_ entry: AuditLog.Entry? = nil, from origin: RequestOrigin, at now: Date, in db: Database) throws
        -> TimeInterval?
    {
        let address = origin.network ?? ""
        if let wait = try ThrottleRecords.wait([(.stranger, address)], at: now, in: db) { return wait }
        let hasRoom = try consumeQuota(at: now, in: db)
        // Beyond the bound an address that was never counted gets no row either: there may be any number of them.
        if try hasRoom || ThrottleRecords.isCounted(.stranger, address, in: db) {
            try ThrottleRecords.recordFailure(.stranger, address, at: now, in: db)
        }
        if hasRoom, let entry { try AuditLog.append(entry, origin: origin, at: now, in: db) }
        return nil
    }

    /// Puts on record what a caller was refused whose address is counted elsewhere, unless all addresses have used up the house's bound.
    static func record(_ entry: AuditLog.Entry, origin: RequestOrigin, at now: Date, in db: Database) throws {
        if try consumeQuota(at: now, in: db) { try AuditLog.append(entry, origin: origin, at: now, in: db) }
    }

    /// Counts one record of the house's bound; false where none is left.
    private static func consumeQuota(at now: Date, in db: Database) throws -> Bool {
        guard try ThrottleRecords.wait([(.strangers, "house")], at: now, in: db) == nil else { return false }
        try ThrottleRecords.recordFailure(.strangers, "house", at: now, in: db)
        return true
    }
}
