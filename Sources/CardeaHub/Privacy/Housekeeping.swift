import CardeaStore
import Foundation
import GRDB
import ServiceLifecycle

/// Forgets what need not be remembered any more, once an hour.
public struct Housekeeping: Service {
    let store: Store
    let surroundings: Surroundings

    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let now = surroundings.now()
                try await store.write { db in
                    try OnceOnly.sweep(at: now, in: db)
                    try Throttles.sweep(at: now, in: db)
                    let limit = now.addingTimeInterval(-Sessions.idle).milliseconds
                    try db.execute(sql: "DELETE FROM refresh_tokens WHERE expires_at < ?", arguments: [limit])
                }
                do { try await surroundings.sleep(now.addingTimeInterval(3600)) } catch is CancellationError { return }
            }
        }
    }
}
