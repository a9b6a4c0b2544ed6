import CardeaStore
import GRDB

/// The mind's memories of a device and its sensors' readings may be rewritten, and move to the ID that stays. The journal and the audit log
/// keep the former IDs.
extension AliasRecords {
    /// Rows moved in one commit, so that door commands do not wait for it.
    private static let batchSize = 500

    /// Moves records that are still under former IDs. An interrupted move is completed by the next call.
    static func moveHistory(in store: Store) async throws {
        let (devices, entities) = try await store.read { (try all(.device, $0), try all(.entity, $0)) }
        for (former, id) in entities.sorted(by: { $0.key < $1.key }) {
            try await repeatUntilDone(in: store) { try moveHouseEvents(ofEntity: former, to: id, in: $0) }
            try await repeatUntilDone(in: store) { try moveReadings(former, to: id, in: $0) }
            try await repeatUntilDone(in: store) { try moveHours(former, to: id, in: $0) }
        }
        for (former, id) in devices.sorted(by: { $0.key < $1.key }) {
            try await repeatUntilDone(in: store) { try moveHouseEvents(ofDevice: former, to: id, in: $0) }
        }
    }

    private static func repeatUntilDone(in store: Store, _ move: @escaping @Sendable (Database) throws -> Int) async throws {
        while try await store.write({ try move($0) }) > 0 { try Task.checkCancellation() }
    }

    private static func moveHouseEvents(ofDevice former: String, to id: String, in db: Database) throws -> Int {
        try db.execute(
            sql: """
                UPDATE happenings SET device_id = ?2
                WHERE number IN (SELECT number FROM happenings WHERE device_id = ?1 LIMIT \(batchSize))
                """, arguments: [former, id])
        return db.changesCount
    }

    private static func moveHouseEvents(ofEntity former: String, to id: String, in db: Database) throws -> Int {
        try db.execute(
            sql: """
                UPDATE happenings SET entity_id = ?2, device_id = coalesce((SELECT device_id FROM entities WHERE id = ?2), device_id)
                WHERE number IN (SELECT number FROM happenings WHERE entity_id = ?1 LIMIT \(batchSize))
                """, arguments: [former, id])
        return db.changesCount
    }

    private static func moveReadings(_ former: String, to id: String, in db: Database) throws -> Int {
        let oldest = "SELECT at FROM readings WHERE entity_id = ?1 ORDER BY at LIMIT \(batchSize)"
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO readings (entity_id, at, value)
                SELECT ?2, at, value FROM readings r WHERE entity_id = ?1 AND at IN (\(oldest))
                    AND NOT EXISTS (SELECT 1 FROM hourly_readings h WHERE h.entity_id = ?2 AND r.at >= h.hour AND r.at < h.hour + 3600000)
                """, arguments: [former, id])
        try db.execute(sql: "DELETE FROM readings WHERE entity_id = ?1 AND at IN (\(oldest))", arguments: [former])
        return db.changesCount
    }

    private static func moveHours(_ former: String, to id: String, in db: Database) throws -> Int {
        let oldest = "SELECT hour FROM hourly_readings WHERE entity_id = ?1 ORDER BY hour LIMIT \(batchSize)"
        let columns = "hour, low, high, mean, first, last, used, count, is_energy, start"
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO hourly_readings (entity_id, \(columns))
                SELECT ?2, \(columns) FROM hourly_readings WHERE entity_id = ?1 AND hour IN (\(oldest))
                """, arguments: [former, id])
        try db.execute(sql: "DELETE FROM hourly_readings WHERE entity_id = ?1 AND hour IN (\(oldest))", arguments: [former])
        return db.changesCount
    }
}
