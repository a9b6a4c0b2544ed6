import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Which buttons, switches and valves the household says open a way in, as rows.
enum WayInMarks {
    static func has(_ entityID: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM ways_in WHERE entity_id = ?)"), arguments: [entityID]) ?? false
    }

    /// Sets the mark or takes it away; the device is described anew.
    static func write(_ isSet: Bool, _ entity: Entity, of deviceID: String, at now: Date, in db: Database) throws {
        var entity = entity
        entity.opensWayIn = isSet
        let sql =
            isSet
            ? "INSERT INTO ways_in (entity_id, marked_at) VALUES (?1, ?2)" : "DELETE FROM ways_in WHERE entity_id = ?1 AND ?2 IS NOT NULL"
        try db.execute(sql: sql, arguments: [entity.id, now.milliseconds])
        try db.execute(sql: "UPDATE entities SET is_way_in = ? WHERE id = ?", arguments: [entity.isWayIn, entity.id])
        try db.execute(sql: "UPDATE devices SET revision = revision + 1, version = version + 1 WHERE id = ?", arguments: [deviceID])
    }
}

extension Devices {
    /// Says that a button, a switch or a valve opens a way in, or that it does not. From then on a command to it counts as opening a door.
    ///
    /// The mark is free to set; whoever takes it away shows again who they are.
    ///
    /// - Throws: `CommandRefusal.deviceNotFound`, `DeviceAction.Problem` as `CommandRefusal` for an entity that cannot be marked,
    ///   `Sessions.Problem.stepUpRequired`, and `People.Problem` without the right to change settings.
    public func mark(
        _ entityID: String, of deviceID: String, opensWayIn: Bool, by principal: Principal, origin: Origin
    ) async throws -> Device {
        let now = surroundings.now()
        return try await store.attempt("device.change", on: .device(deviceID), by: principal, origin: origin, at: now) { db in
            try People.require(.modifySettings, of: principal, in: db)
            guard let device = try DeviceRecords.one(deviceID, db) else { throw EditProblem.notFound }
            guard let entity = device.entities.first(where: { $0.id == entityID }) else { throw EditProblem.noSuchEntity }
            guard entity.mayBeMarked else { throw EditProblem.neverWayIn(entity.kind) }
            guard entity.opensWayIn != opensWayIn else { return device }
            if !opensWayIn { try Sessions.requireStepUp(principal, at: now, in: db) }
            try WayInMarks.write(opensWayIn, entity, of: deviceID, at: now, in: db)
            guard let changed = try DeviceRecords.one(deviceID, db) else { throw EditProblem.notFound }
            let turn = RuleTurn.data(from: device, to: changed)
            try Self.tell("device.change", .deviceChanged, deviceID, turn, by: principal, origin: origin, at: now, in: db)
            return changed
        } committed: { [self] changed in
            keep([changed])
        }
    }

    /// Whether the household says that this entity opens a way in.
    public func opensWayIn(_ entityID: String) -> Bool { entity(entityID)?.opensWayIn ?? false }
}
