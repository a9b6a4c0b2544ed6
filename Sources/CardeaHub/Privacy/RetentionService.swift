import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle

/// Deletes expired data: each hour short-lived values, and each night data after its retention.
public struct RetentionService: Service {
    let store: Store
    let house: House
    let guestReadAuditor: GuestReadAuditor
    let retentionSweep: RetentionSweep
    let jobs: Jobs
    let environment: HubEnvironment
    let logger: Logger

    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let now = environment.now()
                do {
                    try await sweep(at: now)
                } catch is CancellationError {
                    return
                } catch {
                    // An hour's delay of the deletion does no harm.
                    logger.warning("housekeeping failed", metadata: ["error": "\(type(of: error))"])
                }
                do { try await environment.sleep(now.addingTimeInterval(3600)) } catch is CancellationError { return }
            }
        }
    }

    /// The quiet hours of a house that has set none.
    private static let defaultQuietHours = TimeOfDay("02:00").flatMap { from in TimeOfDay("05:00").map { QuietHours(from: from, to: $0) } }

    func sweep(at now: Date) async throws {
        let zone = house.current.timeZone
        // While the clock is in doubt, no session is ended for good and no export is deleted.
        let sure = try await store.write { [guestReadAuditor] db in
            let sure = try ClockRecords.trustedTime(of: now, db)
            try IdempotencyStore.sweep(at: sure, in: db)
            try ThrottleRecords.sweep(at: sure, in: db)
            try PhonePairings.sweep(at: sure, in: db)
            try PasskeyChallenges.sweep(at: sure, in: db)
            try SingleUseLinkRecords.sweep(at: sure, in: db)
            try guestReadAuditor.closeDays(at: sure, in: zone, db)
            try db.execute(
                sql: "DELETE FROM refresh_tokens WHERE expires_at < ?", arguments: [sure.addingTimeInterval(-Sessions.idle).milliseconds])
            return sure
        }
        try await jobs.sweep(at: sure)
        if try await isSweepDue(at: now) {
            try await retentionSweep.run(at: now)
            let border = try await store.read { try RetentionRecords.cutoff(.activity, at: now, in: $0) }
            try await jobs.eraseRemoved(before: border)
        }
    }

    /// Once in a night, or whenever it has not been done for a day and a half: a house may be off at night.
    private func isSweepDue(at now: Date) async throws -> Bool {
        let last = try await store.read { db in
            try RetentionRecords.all(most: \.defaultDays, db).filter { !$0.kind.isOwnedByMind }.compactMap(\.sweptAt).max()
        }
        guard let last else { return true }
        // The clock was set back, or was ahead when it was done last.
        if last > now { return last.timeIntervalSince(now) > 48 * 3600 }
        let (facts, since) = (house.current, now.timeIntervalSince(last))
        let isNight = (facts.preferences.quietHours ?? Self.defaultQuietHours)?.contains(now, in: facts.timeZone) == true
        return since >= 36 * 3600 || isNight && since >= 20 * 3600
    }
}
