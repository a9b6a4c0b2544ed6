import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle

/// Forgets what need not be remembered any more, once an hour.
public struct Housekeeping: Service {
    let store: Store
    let events: Events
    let surroundings: Surroundings
    let logger: Logger

    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let now = surroundings.now()
                do {
                    try await sweep(at: now)
                } catch is CancellationError {
                    return
                } catch {
                    // Nothing is lost by forgetting an hour later.
                    logger.warning("housekeeping could not write", metadata: ["error": "\(type(of: error))"])
                }
                do { try await surroundings.sleep(now.addingTimeInterval(3600)) } catch is CancellationError { return }
            }
        }
    }

    private func sweep(at now: Date) async throws {
        try await Readings.sweep(store, at: now)
        try await events.sweep(at: now)
        try await store.write { db in
            try OnceOnly.sweep(at: now, in: db)
            try Throttles.sweep(at: now, in: db)
            try PhonePairings.sweep(at: now, in: db)
            try LiveLinkRecords.sweep(at: now, in: db)
            try Notices.sweep(at: now, in: db)
            try db.execute(
                sql: "DELETE FROM refresh_tokens WHERE expires_at < ?", arguments: [now.addingTimeInterval(-Sessions.idle).milliseconds])
        }
    }
}
