import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Buttons, switches and valves that the household has marked as opening a way in, as rows.
enum WayInMarkRecords {
    static func isMarked(_ entityID: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM ways_in WHERE entity_id = ?)"), arguments: [entityID]) ?? false
    }

    static func set(_ isSet: Bool, _ entityID: String, at now: Date, in db: Database) throws {
        let sql =
            isSet
            ? "INSERT INTO ways_in (entity_id, marked_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING"
            : "DELETE FROM ways_in WHERE entity_id = ?1 AND ?2 IS NOT NULL"
        try db.execute(sql: sql, arguments: [entityID, now.milliseconds])
    }
}
