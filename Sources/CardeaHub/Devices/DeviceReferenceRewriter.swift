import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// All references to a device or its entities outside of history: passes, buttons, automations, scenes, API tokens, marks, tasks, twins,
/// memories. The journal and the audit log are not rewritten; `AliasRecords` resolves their IDs.
enum DeviceReferenceRewriter {
    /// Renames a device or some of its entities in all references. A button's written tags keep working.
    static func move(_ renaming: ReferenceMapping, at now: Date, in db: Database) throws -> ReferenceCounts {
        var counts = ReferenceCounts()
        counts.passes = try movePasses(renaming, at: now, in: db)
        (counts.buttons, counts.tags) = try moveButtons(renaming, at: now, in: db)
        counts.scenes = try moveScenes(renaming, at: now, in: db)
        counts.automations = try AutomationReferences.rename(renaming, at: now, in: db)
        counts.apiTokens = try moveAPITokens(renaming, in: db)
        for (former, id) in renaming.entities {
            try db.execute(
                sql: "INSERT OR IGNORE INTO ways_in (entity_id, marked_at) SELECT ?2, marked_at FROM ways_in WHERE entity_id = ?1",
                arguments: [former, id])
            try db.execute(sql: "DELETE FROM ways_in WHERE entity_id = ?", arguments: [former])
            try WayInRecords.move(former, to: id, at: now, in: db)
        }
        if renaming.isWhole { try moveDevice(renaming, at: now, in: db) }
        return counts
    }

    /// True if a pass, a button, a scene or an automation names a part of a device other than `entityID`.
    static func referToOthers(of deviceID: String, than entityID: String, in db: Database) throws -> Bool {
        let named = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM (
                        SELECT device_id, entity_id FROM guest_items UNION ALL SELECT device_id, entity_id FROM buttons
                        UNION ALL SELECT device_id, entity_id FROM scene_actions
                    ) WHERE device_id = ? AND entity_id <> ?)
                """, arguments: [deviceID, entityID])
        if named == true { return true }
        let parts = Set(
            try String.fetchAll(db, sql: "SELECT id FROM entities WHERE device_id = ? AND id <> ?", arguments: [deviceID, entityID]))
        return try AutomationReferences.isReferenced(parts, on: deviceID, besides: entityID, in: db)
    }

    // MARK: Passes

    private static func movePasses(_ renaming: ReferenceMapping, at now: Date, in db: Database) throws -> Int {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT i.guest_id, i.position, i.device_id, i.entity_id, i.actions, g.revoked_at IS NULL AND g.expires_at > ?
                FROM guest_items i JOIN guests g ON g.id = i.guest_id ORDER BY i.guest_id, i.position
                """, arguments: [now.milliseconds])
        let passes = Dictionary(grouping: rows.filter { renaming.contains($0[2], $0[3] as String) }, by: { $0[0] as String })
        var count = 0
        for (guestID, items) in passes.sorted(by: { $0.key < $1.key }) {
            for item in items { try movePassItem(item, of: guestID, renaming, in: db) }
            try db.execute(sql: "UPDATE guests SET version = version + 1 WHERE id = ?", arguments: [guestID])
            try Journal.append(.guestChanged, subject: guestID, at: now, in: db)
            if let first = items.first, first[5] as Bool { count += 1 }
        }
        return count
    }

    /// A pass that already names the new entity gets one item with the actions of both.
    private static func movePassItem(_ item: Row, of guestID: String, _ renaming: ReferenceMapping, in db: Database) throws {
        let (position, entityID): (Int, String) = (item[1], item[3])
        let place = renaming.target(item[2], entityID)
        let other = try Row.fetchOne(
            db, sql: "SELECT position, actions FROM guest_items WHERE guest_id = ? AND entity_id = ? AND position <> ?",
            arguments: [guestID, place.entityID, position])
        if let other {
            let (kept, moved) = (try jsonArray(other[1]), try jsonArray(item[4]))
            try db.execute(
                sql: "UPDATE guest_items SET device_id = ?, actions = ? WHERE guest_id = ? AND position = ?",
                arguments: [
                    place.deviceID, try JSONText.encode(.array(kept + moved.filter { !kept.contains($0) })), guestID, other[0] as Int,
                ])
            try db.execute(sql: "DELETE FROM guest_items WHERE guest_id = ? AND position = ?", arguments: [guestID, position])
        } else {
            try db.execute(
                sql: "UPDATE guest_items SET device_id = ?, entity_id = ? WHERE guest_id = ? AND position = ?",
                arguments: [place.deviceID, place.entityID, guestID, position])
        }
    }

    private static func jsonArray(_ text: String) throws -> [JSONValue] {
        guard case .array(let members) = try JSONText.decode(text) else { return [] }
        return members
    }

    // MARK: Buttons and scenes

    /// The action's version does not rise: a written tag and a live link are for the same door.
    private static func moveButtons(_ renaming: ReferenceMapping, at now: Date, in db: Database) throws -> (buttons: Int, tags: Int) {
        var (buttons, tags) = (0, 0)
        for row in try Row.fetchAll(db, sql: "SELECT id, device_id, entity_id, verb FROM buttons ORDER BY number") {
            let (id, deviceID, entityID): (String, String, String?) = (row[0], row[1], row[2])
            let place = renaming.target(deviceID, entityID, Verb(rawValue: row[3]))
            guard place != (deviceID, entityID) else { continue }
            try db.execute(
                sql: "UPDATE buttons SET device_id = ?, entity_id = ?, version = version + 1, changed_at = ? WHERE id = ?",
                arguments: [place.deviceID, place.entityID, now.milliseconds, id])
            try Journal.append(.buttonChanged, subject: id, at: now, in: db)
            guard isMoved(place, from: deviceID, entityID) else { continue }
            buttons += 1
            tags += try Int.fetchOne(db, sql: "SELECT count(*) FROM tags WHERE button_id = ? AND state = 'active'", arguments: [id]) ?? 0
        }
        return (buttons, tags)
    }

    private static func moveScenes(_ renaming: ReferenceMapping, at now: Date, in db: Database) throws -> Int {
        var (changed, moved) = (Set<String>(), Set<String>())
        for row in try Row.fetchAll(db, sql: "SELECT scene_id, position, device_id, entity_id, verb FROM scene_actions") {
            let (id, position, deviceID, entityID): (String, Int, String, String?) = (row[0], row[1], row[2], row[3])
            let place = renaming.target(deviceID, entityID, Verb(rawValue: row[4]))
            guard place != (deviceID, entityID) else { continue }
            try db.execute(
                sql: "UPDATE scene_actions SET device_id = ?, entity_id = ? WHERE scene_id = ? AND position = ?",
                arguments: [place.deviceID, place.entityID, id, position])
            changed.insert(id)
            if isMoved(place, from: deviceID, entityID) { moved.insert(id) }
        }
        for id in changed.sorted() {
            try db.execute(
                sql: "UPDATE scenes SET version = version + 1, changed_at = ? WHERE id = ?", arguments: [now.milliseconds, id])
            try Journal.append(.sceneChanged, subject: id, at: now, in: db)
        }
        return moved.count
    }

    /// False if an action of the device that stays has only had its entity filled in.
    private static func isMoved(_ place: (deviceID: String, entityID: String?), from deviceID: String, _ entityID: String?) -> Bool {
        place.deviceID != deviceID || entityID != nil && place.entityID != entityID
    }

    // MARK: Programs

    private static func moveAPITokens(_ renaming: ReferenceMapping, in db: Database) throws -> Int {
        var count = 0
        for row in try Row.fetchAll(db, sql: "SELECT id, items FROM api_tokens WHERE items IS NOT NULL AND revoked_at IS NULL") {
            let items = try JSONDecoder().decode([APITokens.StoredItem].self, from: Data((row[1] as String).utf8)).map(\.item)
            guard items.contains(where: { renaming.contains($0.deviceID, $0.entityID) }) else { continue }
            let moved = items.map { item in
                let place = renaming.target(item.deviceID, item.entityID)
                return Grant.Item(deviceID: place.deviceID, entityID: place.entityID ?? item.entityID, verbs: item.verbs)
            }
            let text = String(decoding: try JSONEncoder().encode(moved.map(APITokens.StoredItem.init)), as: UTF8.self)
            try db.execute(sql: "UPDATE api_tokens SET items = ? WHERE id = ?", arguments: [text, row[0] as String])
            count += 1
        }
        return count
    }

    // MARK: The device as a whole

    private static func moveDevice(_ renaming: ReferenceMapping, at now: Date, in db: Database) throws {
        let (from, to) = (renaming.from, renaming.to)
        for id in try String.fetchAll(db, sql: "SELECT id FROM maintenance_tasks WHERE device_id = ?", arguments: [from]) {
            try db.execute(
                sql: "UPDATE maintenance_tasks SET device_id = ?, version = version + 1, changed_at = ? WHERE id = ?",
                arguments: [to, now.milliseconds, id])
            try Journal.append(.maintenanceChanged, subject: id, at: now, in: db)
        }
        try db.execute(sql: "UPDATE webhooks SET camera_id = ? WHERE camera_id = ?", arguments: [to, from])
        // If the device that stays already has a twin, that one is newer.
        try db.execute(sql: "UPDATE OR IGNORE twins SET device_id = ? WHERE device_id = ?", arguments: [to, from])
        try db.execute(sql: "DELETE FROM twins WHERE device_id = ?", arguments: [from])
        let memories = try Row.fetchAll(
            db, sql: "SELECT id, related_devices FROM memories WHERE instr(related_devices, json_quote(?)) > 0", arguments: [from])
        for row in memories {
            let id: String = row[0]
            var devices: [JSONValue] = []
            for device in try jsonArray(row[1]).map({ $0 == .string(from) ? JSONValue.string(to) : $0 })
            where !devices.contains(device) { devices.append(device) }
            try db.execute(
                sql: "UPDATE memories SET related_devices = ?, version = version + 1 WHERE id = ?",
                arguments: [try JSONText.encode(.array(devices)), id])
            try Journal.append(.memoryChanged, subject: id, data: ["removed": false], at: now, in: db)
        }
        for id in try String.fetchAll(db, sql: "SELECT id FROM devices WHERE hub_id = ? AND withdrawn_at IS NULL", arguments: [from]) {
            try db.execute(
                sql: "UPDATE devices SET hub_id = ?, version = version + 1, revision = revision + 1 WHERE id = ?", arguments: [to, id])
            try Devices.journal(.deviceChanged, id, at: now, in: db)
        }
    }
}
