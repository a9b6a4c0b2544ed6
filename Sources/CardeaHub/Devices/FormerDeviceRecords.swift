import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Withdrawn and removed devices, with what is needed to recognise them: a pass, a scene or a button may still name them.
enum FormerDeviceRecords {
    /// The number of rows that are read.
    private static let limit = 50_000
    /// The number of bytes of attributes that are read. A device with more has none, and its ID is never given to another.
    private static let attributeByteLimit = 16 * 1024 * 1024

    /// Referenced devices come first, then the latest ones.
    static func all(_ db: Database) throws -> [Device] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT id, integration, name, attributes FROM devices WHERE withdrawn_at IS NOT NULL
                ORDER BY id IN (
                    SELECT device_id FROM guest_items UNION SELECT device_id FROM scene_actions UNION SELECT device_id FROM buttons
                ) DESC, withdrawn_at DESC, rowid LIMIT ?
                """, arguments: [limit])
        var devices: [Device] = []
        var room = attributeByteLimit
        while let row = try rows.next() {
            let attributes: String = row[3]
            room -= attributes.utf8.count
            devices.append(
                Device(
                    id: row[0], name: row[2], deviceClass: .other, integration: row[1],
                    attributes: room < 0 ? [:] : (try? JSONText.object(attributes)) ?? [:], stateChangedAt: .distantPast, entities: []))
        }
        let entities = try entities(db)
        for index in devices.indices { devices[index].entities = entities[devices[index].id] ?? [] }
        return devices
    }

    private static func entities(_ db: Database) throws -> [String: [Entity]] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT e.device_id, e.id, e.kind, e.name, e.unique_id FROM entities e JOIN devices d ON d.id = e.device_id
                WHERE d.withdrawn_at IS NOT NULL ORDER BY e.device_id, e.position LIMIT ?
                """, arguments: [limit])
        var entities: [String: [Entity]] = [:]
        while let row = try rows.next() {
            let deviceID: String = row[0]
            guard let kind = EntityKind(rawValue: row[2]) else { continue }
            entities[deviceID, default: []].append(Entity(id: row[1], uniqueID: row[4], kind: kind, name: row[3], verbs: []))
        }
        return entities
    }
}

extension Devices {
    /// Withdrawn and removed devices with their IDs, integrations, attributes and entities, as of the last `reloadFormer`.
    public var former: [Device] { formerDevices.withLock { $0 } }

    /// Reads them again from the store.
    public func reloadFormer() async throws {
        let devices = try await store.read { try FormerDeviceRecords.all($0) }
        formerDevices.withLock { $0 = devices }
    }
}

extension Device {
    /// The IDs of the device and its entities, including former entities that its integration's attributes remember.
    public var allIDs: Set<String> {
        var ids = Set(entities.map(\.id))
        ids.insert(id)
        for (name, value) in attributes where name.hasSuffix("_entities") {
            guard case .object(let members) = value else { continue }
            ids.formUnion(members.values.compactMap(\.string))
        }
        return ids
    }
}
