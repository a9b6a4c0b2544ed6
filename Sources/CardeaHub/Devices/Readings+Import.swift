import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// What sensors said before this hub kept it.
extension Readings {
    public struct ImportedReading: Hashable, Sendable {
        public let entityID: String
        public let at: Date
        public let value: Double

        public init(entityID: String, at: Date, value: Double) {
            self.entityID = entityID
            self.at = at
            self.value = value
        }
    }

    /// Takes readings in, wherever in the past they belong. One that is kept already, by its moment or in its hour, stays as it is.
    ///
    /// - Returns: how many were new.
    public func importReadings(_ past: [ImportedReading]) async throws -> Int {
        try await store.write { db in
            var taken = 0
            for reading in past where reading.value.isFinite {
                try db.cachedStatement(
                    sql: """
                        INSERT OR IGNORE INTO readings (entity_id, at, value) SELECT ?1, ?2, ?3
                        WHERE EXISTS (SELECT 1 FROM entities WHERE id = ?1)
                            AND NOT EXISTS (SELECT 1 FROM hourly_readings WHERE entity_id = ?1 AND hour = ?4)
                        """
                ).execute(arguments: [
                    reading.entityID, reading.at.milliseconds, reading.value, ReadingPolicy.hour(of: reading.at.milliseconds),
                ])
                taken += db.changesCount
            }
            return taken
        }
    }

    /// Makes hours of what was taken in and is older than readings are kept, and forgets what is older than hours are.
    public func condenseImported() async throws {
        try await Self.sweep(store, at: environment.now())
    }
}
