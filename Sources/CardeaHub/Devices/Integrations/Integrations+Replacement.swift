import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// A new lock in the place of a broken one: what named the old door names the new one from then on.
extension Integrations {
    /// A door that passes or buttons name and that is gone or out of reach.
    public struct ReplaceableDoor: Hashable, Sendable {
        public let deviceID: String
        public let entityID: String
        /// The name of its device.
        public let name: String
        /// Passes that are not over.
        public let passes: Int
        public let buttons: Int
        /// Entities of the new device that can take its place.
        public let candidates: [String]
    }

    /// The doors that an entity of this device can take the place of, for who may change settings.
    public func replaceable(by id: String, seenBy principal: Principal) async throws -> [ReplaceableDoor] {
        let now = environment.now()
        return try await store.read { db in
            try People.require(.modifySettings, of: principal, in: db)
            let device = try DeviceRecords.one(id, db).orThrow(MoveError.notFound)
            let rows = try Row.fetchAll(db, sql: Self.missingDoors, arguments: ["now": now.milliseconds])
            return rows.compactMap { row -> ReplaceableDoor? in
                let entityID: String = row[1]
                let kind = ReplacedDoor.kind(entityID, named: row[5])
                let candidates = device.entities.filter { $0.kind == kind && $0.id != entityID }.map(\.id)
                guard !candidates.isEmpty else { return nil }
                return ReplaceableDoor(
                    deviceID: row[0], entityID: entityID, name: row[2], passes: row[3], buttons: row[4], candidates: candidates)
            }
        }
    }

    private static let missingDoors = """
        WITH named AS (
            SELECT i.device_id, i.entity_id, 1 AS passes, 0 AS buttons FROM guest_items i JOIN guests g ON g.id = i.guest_id
            WHERE g.revoked_at IS NULL AND g.expires_at > :now
            UNION ALL SELECT device_id, entity_id, 0, 1 FROM buttons WHERE entity_id IS NOT NULL AND publication IS NULL
        )
        SELECT n.device_id, n.entity_id, coalesce(d.name, n.device_id) AS name, sum(n.passes), sum(n.buttons), e.kind
        FROM named n LEFT JOIN devices d ON d.id = n.device_id LEFT JOIN entities e ON e.id = n.entity_id AND e.device_id = n.device_id
        WHERE d.id IS NULL OR d.withdrawn_at IS NOT NULL OR e.id IS NULL OR d.status = 'offline'
        GROUP BY n.device_id, n.entity_id ORDER BY name, n.entity_id
        """

    /// Puts an entity of a device in the place of another one that is gone or out of reach: passes, buttons with their tags, automations,
    /// scenes and API tokens name the new one, and the old id is another name of it. It takes over who may open it, too.
    ///
    /// - Parameter old: the entity that is replaced.
    /// - Throws: `MoveError`, `Sessions.Problem.stepUpRequired`, and `People.Problem` without the right to change settings.
    public func replace(_ old: String, by entityID: String, of id: String, principal: Principal, origin: RequestOrigin) async throws -> Move
    {
        let now = environment.now()
        let (replaced, integration) = try await store.auditedWrite(
            "device.replace", on: .device(id), by: principal, origin: origin, at: now
        ) {
            db in
            try People.require(.modifySettings, of: principal, in: db)
            try Sessions.requireStepUp(principal, at: now, in: db)
            let before = try DeviceRecords.one(id, db).orThrow(MoveError.notFound)
            let named = try AliasRecords.resolve(.entity, entityID, db)
            let entity = try before.entities.first { $0.id == named }.orThrow(MoveError.noSuchEntity)
            let door = try ReplacedDoor(try AliasRecords.resolve(.entity, old, db), db)
            try door.check(by: entity, in: db)
            let moved = try door.move(to: entity, of: before, at: now, in: db)
            let device = try DeviceRecords.one(before.id, db).orThrow(MoveError.notFound)
            var turn = RuleChange.data(from: before, to: device)
            turn["replaced"] = .string(door.entityID)
            try Devices.record("device.replace", .deviceChanged, device.id, turn, by: principal, origin: origin, at: now, in: db)
            let left = try door.deviceID == device.id ? nil : door.removeEntity(at: now, in: db)
            let changed = try Self.connected(through: device, db) + (left.map { [$0] } ?? [])
            let result = CommittedMove(
                move: Move(device: device, moved: moved), changed: changed,
                removed: left == nil && door.deviceID != device.id ? [door.deviceID] : [], aliases: try FormerIDs(db))
            return (result, door.isAnnounced ? door.device?.integration : nil)
        } committed: { [self] replaced, _ in
            apply(replaced)
        }
        // The old one, if it comes back, is another device.
        if let integration { reload(integration) }
        await moveHistory()
        return replaced.move
    }
}

/// A door whose place another one takes.
private struct ReplacedDoor {
    let entityID: String
    let deviceID: String
    /// Nil for a device of which no row is left.
    let device: Device?
    let isAnnounced: Bool
    private let kind: EntityKind?

    /// - Throws: `Integrations.MoveError` where nothing names such a door.
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

    /// An entity's kind; the first word of its id tells it where no row does.
    static func kind(_ entityID: String, named word: String?) -> EntityKind? {
        EntityKind(rawValue: word ?? String(entityID.prefix { $0 != "." }))
    }

    /// - Throws: `Integrations.MoveError` where the entity cannot take its place.
    func check(by entity: Entity, in db: Database) throws {
        guard entity.id != entityID else { throw Integrations.MoveError.same(field: "replaces") }
        if isAnnounced, let device, let part = device.entities.first(where: { $0.id == entityID }) {
            // A button that publishes is a device of its own, and stays what it is.
            guard device.status != .online, device.integration != ButtonDevice.integration else {
                throw Integrations.MoveError.stillConnected(device.entities.count > 1 ? "\(device.name): \(part.name)" : device.name)
            }
        }
        if let kind, kind != entity.kind { throw Integrations.MoveError.otherKind(kind, instead: entity.kind) }
        let lacking = try requestedActions(in: db).filter { GuestGrantResolver.verb($0, on: entity) == nil }
        guard lacking.isEmpty else { throw Integrations.MoveError.unsupported(lacking.sorted()) }
    }

    /// The actions that are granted or kept for it, in their own words.
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
        let isWhole = try isLast && deviceID != new.id && !DeviceReferences.referToOthers(of: deviceID, than: entityID, in: db)
        let renaming = ReferenceMapping(
            from: deviceID, to: new.id, entities: [entityID: entity.id], isWhole: isWhole, before: device.map { [$0] } ?? [])
        let moved = try DeviceReferences.move(renaming, at: now, in: db)
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

    /// Takes the entity out of a device that is announced. One of which nothing is left goes.
    ///
    /// - Returns: the device where it stays.
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
