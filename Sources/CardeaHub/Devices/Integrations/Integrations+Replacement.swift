import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Replacement of a broken lock by a new one: references to the old door then name the new one.
extension Integrations {
    /// A door that passes or buttons name and that is missing or out of reach.
    public struct ReplaceableDoor: Hashable, Sendable {
        public let deviceID: String
        public let entityID: String
        /// The name of its device.
        public let name: String
        /// The number of passes that have not ended.
        public let passes: Int
        public let buttons: Int
        /// Entities of the new device that can take its place.
        public let candidates: [String]
    }

    /// The doors that an entity of this device can replace, for people who may change settings.
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

    /// Replaces an entity that is gone or out of reach with an entity of another device: passes, buttons with their tags, automations,
    /// scenes and API tokens then name the new one, and the old ID is another name of it. Its access rules are taken over, too.
    ///
    /// - Parameter old: the entity that is replaced.
    /// - Throws: `MoveError`, `Sessions.SessionError.stepUpRequired`, and `People.PersonError` without the right to change settings.
    public func replace(_ old: String, by entityID: String, of id: String, principal: Principal, origin: RequestOrigin) async throws -> Move
    {
        let now = environment.now()
        let (replaced, integration) = try await store.auditedWrite(
            "device.replace", on: .device(id), by: principal, origin: origin, at: now
        ) {
            context in
            try People.require(.modifySettings, of: principal, in: context.db)
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            let before = try DeviceRecords.one(id, context.db).orThrow(MoveError.notFound)
            let named = try AliasRecords.resolve(.entity, entityID, context.db)
            let entity = try before.entities.first { $0.id == named }.orThrow(MoveError.noSuchEntity)
            let door = try ReplacedDoor(try AliasRecords.resolve(.entity, old, context.db), context.db)
            try door.check(by: entity, in: context.db)
            let moved = try door.move(to: entity, of: before, at: now, in: context.db)
            let device = try DeviceRecords.one(before.id, context.db).orThrow(MoveError.notFound)
            var turn = RuleChange.data(from: before, to: device)
            turn["replaced"] = .string(door.entityID)
            try Devices.record("device.replace", .deviceChanged, device.id, turn, in: context)
            let left = try door.deviceID == device.id ? nil : door.removeEntity(at: now, in: context.db)
            let changed = try Self.connected(through: device, context.db) + (left.map { [$0] } ?? [])
            let result = CommittedMove(
                move: Move(device: device, moved: moved), changed: changed,
                removed: left == nil && door.deviceID != device.id ? [door.deviceID] : [], aliases: try FormerIDs(context.db))
            return (result, door.isAnnounced ? door.device?.integration : nil)
        } committed: { [self] replaced, _ in
            apply(replaced)
        }
        // If the old one returns, it is another device.
        if let integration { reload(integration) }
        await moveHistory()
        return replaced.move
    }
}
