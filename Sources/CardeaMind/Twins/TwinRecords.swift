import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Reads and writes twins in the database.
enum TwinRecords {
    static func all(_ db: Database) throws -> [StoredTwin] {
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM twins ORDER BY device_id").compactMap(twin)
    }

    static func one(_ deviceID: String, _ db: Database) throws -> StoredTwin? {
        try Row.fetchOne(db, sql: "SELECT \(columns) FROM twins WHERE device_id = ?", arguments: [deviceID]).flatMap(twin)
    }

    static func count(_ db: Database) throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM twins") ?? 0 }

    static func write(_ twin: StoredTwin, at now: Date, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO twins (device_id, fidelity, name, kind, made_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (device_id) DO UPDATE SET fidelity = excluded.fidelity, name = excluded.name, kind = excluded.kind,
                    made_at = excluded.made_at
                """, arguments: [twin.deviceID, twin.fidelity.rawValue, twin.name, twin.kind.rawValue, now.milliseconds])
    }

    static func remove(_ deviceID: String, in db: Database) throws -> Bool {
        try db.execute(sql: "DELETE FROM twins WHERE device_id = ?", arguments: [deviceID])
        return db.changesCount > 0
    }

    private static let columns = "device_id, fidelity, name, kind"

    private static func twin(_ row: Row) -> StoredTwin? {
        guard let fidelity = TwinFidelity(rawValue: row[1]), let kind = EntityKind(rawValue: row[3]) else { return nil }
        return StoredTwin(deviceID: row[0], fidelity: fidelity, name: row[2], kind: kind)
    }
}
