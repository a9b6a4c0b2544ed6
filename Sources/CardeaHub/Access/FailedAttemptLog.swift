import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Failed attempts of unknown callers: how often each address may fail, and which failures are recorded.
///
/// Each address has its own limit, which makes the caller wait. All addresses together have another limit, which makes no caller wait:
/// beyond it failures are not recorded, so that any number of addresses cannot fill the disk.
enum FailedAttemptLog {
    /// Records that an unknown caller was refused, within both limits.
    static func recordRefusal(_ action: String, reason: AuditReason, in context: AnonymousTransactionContext) throws {
        let entry = AuditLog.Entry(who: .stranger, action: action, result: .refused, reason: reason)
        _ = try recordFailure(entry, in: context)
    }

    /// Counts a failed attempt from an address, and records `entry` unless all addresses together have used up the house's limit. Callers
    /// without an address are counted as one.
    ///
    /// - Parameter entry: nil if the failure is only counted.
    /// - Returns: the seconds for which the address must wait; then nothing is counted or recorded. nil otherwise.
    static func recordFailure(_ entry: AuditLog.Entry? = nil, in context: AnonymousTransactionContext) throws -> TimeInterval? {
        let address = context.origin.network ?? ""
        if let wait = try ThrottleRecords.wait([(.stranger, address)], at: context.now, in: context.db) { return wait }
        let hasRoom = try consumeQuota(at: context.now, in: context.db)
        // Beyond the limit, an address without a count gets no row: there may be any number of them.
        if try hasRoom || ThrottleRecords.isCounted(.stranger, address, in: context.db) {
            try ThrottleRecords.recordFailure(.stranger, address, at: context.now, in: context.db)
        }
        if hasRoom, let entry { try AuditLog.append(entry, in: context) }
        return nil
    }

    /// Records a refusal for a caller whose address is counted elsewhere, unless all addresses have used up the house's limit.
    static func record(_ entry: AuditLog.Entry, in context: AnonymousTransactionContext) throws {
        if try consumeQuota(at: context.now, in: context.db) { try AuditLog.append(entry, in: context) }
    }

    /// Uses one record of the house's limit; false if none is left.
    private static func consumeQuota(at now: Date, in db: Database) throws -> Bool {
        guard try ThrottleRecords.wait([(.strangers, "house")], at: now, in: db) == nil else { return false }
        try ThrottleRecords.recordFailure(.strangers, "house", at: now, in: db)
        return true
    }
}
