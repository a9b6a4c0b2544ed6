import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// A door that another one replaces.
struct ReplacedDoor {
    let entityID: String
    let deviceID: String
    /// nil for a device of which no row is left.
    let device: Device?
    let isAnnounced: Bool
    private let kind: EntityKind?

    /// - Throws: `Integrations.MoveError` if nothing refers to such a door.
    init(_ entityID: String, _ db: Database) throws {
        let named = try String.fetchOne(
            db,
            sql: """
                SELECT device_id FROM entities WHERE id = ?1 UNION ALL SELECT device_id FROM guest_items WHERE entity_id = ?1
                UNION ALL SELECT device_id FROM buttons WHERE entity_id = ?1 UNION ALL SELECT device_id FROM scene_actions WHERE entity_id = ?1
                LIMIT 1
                """, arguments: [entityID])
        self.entityID = entityID
        deviceID = try named.orThrow(Integrations.MoveError.nothingToReplace)
        let known = try DeviceRecords.oneIncludingWithdrawn(deviceID, db)
        device = known?.device
        isAnnounced = known?.isAnnounced ?? false
        kind = Self.kind(entityID, named: device?.entities.first { $0.id == entityID }?.kind.rawValue)
    }

    /// An entity's kind. If there is no row, the first word of its ID gives it.
    static func kind(_ entityID: String, named word: String?) -> EntityKind? {
        EntityKind(rawValue: word ?? String(entityID.prefix { $0 != "." }))
    }

    /// - Throws: `Integrations.MoveError` if the entity cannot replace it.
    func check(by entity: Entity, in db: Database) throws {
        guard entity.id != entityID else { throw Integrations.MoveError.same(field: "replaces") }
        if isAnnounced, let device, let part = device.entities.first(where: { $0.id == entityID }) {
            // A button that publishes is a device of its own, and cannot be replaced.
            guard device.status != .online, device.integration != ButtonDevice.integration else {
                throw Integrations.MoveError.stillConnected(device.entities.count > 1 ? "\(device.name): \(part.name)" : device.name)
            }
        }
        if let kind, kind != entity.kind { throw Integrations.MoveError.otherKind(kind, instead: entity.kind) }
        let lacking = try requestedActions(in: db).filter { GuestGrantResolver.verb($0, on: entity) == nil }
        guard lacking.isEmpty else { throw Integrations.MoveError.unsupported(lacking.sorted()) }
    }

    /// The actions that are granted or stored for it, by their names.
    private func requestedActions(in db: Database) throws -> Set<String> {
        let granted = try String.fetchAll(
            db,
            sql: """
                SELECT a.value FROM guest_items i JOIN guests g ON g.id = i.guest_id, json_each(i.actions) a
                WHERE i.entity_id = ?1 AND g.revoked_at IS NULL
                UNION SELECT verb FROM buttons WHERE entity_id = ?1 UNION SELECT verb FROM scene_actions WHERE entity_id = ?1
                """, arguments: [entityID])
        return Set(granted).union(try AutomationReferences.verbs(of: entityID, in: db).map(\.rawValue))
    }

    func move(to entity: Entity, of new: Device, at now: Date, in db: Database) throws -> ReferenceCounts {
        let isLast = !isAnnounced || (device?.entities.count ?? 0) <= 1
        let isWhole = try isLast && deviceID != new.id && !DeviceReferenceRewriter.referToOthers(of: deviceID, than: entityID, in: db)
        let renaming = ReferenceMapping(
            from: deviceID, to: new.id, entities: [entityID: entity.id], isWhole: isWhole, before: device.map { [$0] } ?? [])
        let moved = try DeviceReferenceRewriter.move(renaming, at: now, in: db)
        try WayInRecords.confirm(entity.id, at: now, in: db)
        try db.execute(sql: "DELETE FROM entities WHERE id = ?", arguments: [entityID])
        try AliasRecords.add(.entity, entityID, of: entity.id, at: now, in: db)
        if isWhole { try AliasRecords.add(.device, deviceID, of: new.id, at: now, in: db) }
        let rules = deviceID == new.id ? nil : device
        let isSecurityDevice = rules?.isSecurityDevice ?? false
        // A planned device was never open to guests.
        let isGuestAccessible = rules?.isPlanned == true ? nil : rules?.isGuestAccessible
        try db.execute(
            sql: """
                UPDATE devices SET is_security_device = is_security_device OR ?, is_guest_accessible = coalesce(?, is_guest_accessible),
                    version = version + 1, revision = revision + 1 WHERE id = ?
                """,
            arguments: [isSecurityDevice, isGuestAccessible, new.id])
        try DeviceRecords.reclassifyWaysIn(of: new.id, in: db)
        return moved
    }

    /// Removes the entity from an announced device. A device without entities is removed too.
    ///
    /// - Returns: the device, if it stays.
    func removeEntity(at now: Date, in db: Database) throws -> Device? {
        guard isAnnounced, let left = try DeviceRecords.one(deviceID, db) else { return nil }
        let isGone = left.entities.isEmpty
        try db.execute(
            sql: """
                UPDATE devices SET withdrawn_at = CASE WHEN ? THEN ? END, version = version + 1, revision = revision + 1 WHERE id = ?
                """, arguments: [isGone, now.milliseconds, deviceID])
        try Devices.journal(isGone ? .deviceWithdrawn : .deviceChanged, deviceID, at: now, in: db)
        return try isGone ? nil : DeviceRecords.one(deviceID, db)
    }
}
