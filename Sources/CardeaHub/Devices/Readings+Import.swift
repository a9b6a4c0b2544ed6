import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Import of sensor readings from before this hub stored them.
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

    /// Imports readings of any past time. A reading that is already stored, by its time or in its hour, stays as it is.
    ///
    /// - Returns: the number of new readings.
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

    /// Condenses imported readings that are past their retention into hours, and deletes hours that are past theirs.
    public func condenseImported() async throws {
        try await Self.sweep(store, at: environment.now())
    }
}
