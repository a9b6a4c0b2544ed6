import CardeaModel
import CardeaStore
import GRDB

/// The locks that Home Assistant does not already know from another source.
enum HomeAssistantExportLocks {
    static func all(_ db: Database) throws -> [(device: Device, entity: Entity)] {
        let ids = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT DISTINCT d.id FROM devices d JOIN entities e ON e.device_id = d.id
                    WHERE e.kind = 'lock' AND d.withdrawn_at IS NULL ORDER BY d.rowid
                    """))
        let own = try ids.compactMap { try DeviceRecords.one($0, db) }.filter { !$0.isKnownToHomeAssistant && !$0.isPlanned }
        return own.flatMap { device in
            device.entities.filter { $0.kind == .lock && $0.isEnabled && !$0.verbs.isEmpty }.map { (device, $0) }
        }
    }
}
