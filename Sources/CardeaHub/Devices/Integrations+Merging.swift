import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging

/// Two devices of the house that are one: one of them stays, and the other's id is another name of it from then on.
extension Integrations {
    /// A reason for which two devices cannot be merged, or one cannot take another's place.
    public enum MoveProblem: Error {
        case notFound
        /// The second device is not there.
        case noSuchOther
        case noSuchEntity
        /// Both are the same, as this field says.
        case same(field: String)
        /// They come from two integrations.
        case otherIntegration(String, String)
        /// The integration says no.
        case refused(MergeRefusal)
        /// Both were withdrawn: there is nothing to stay.
        case bothGone
        /// The door that is to be replaced is connected; its name.
        case stillThere(String)
        /// Nothing of the house names such a door.
        case nothingToReplace
        case otherKind(EntityKind, instead: EntityKind)
        /// Actions that passes, buttons, scenes or automations ask of the old one, and that the new one does not do.
        case unsupported([String])
    }

    /// The outcome of a merge or of a replacement.
    public struct Move: Sendable {
        /// The device that stays, as it is now.
        public let device: Device
        public let moved: ReferenceCounts
    }

    /// Makes one device out of two. The id that passes or buttons name stays, `id` where both or neither are named. Whatever names the other
    /// one names this one from then on, and so does its id.
    ///
    /// - Throws: `MoveProblem`, `Sessions.Problem.stepUpRequired`, and `People.Problem` without the right to change settings.
    public func merge(_ id: String, with other: String, by principal: Principal, origin: Origin) async throws -> Move {
        let now = surroundings.now()
        let merged = try await store.attempt("device.merge", on: .device(id), by: principal, origin: origin, at: now) { [self] db in
            try People.require(.modifySettings, of: principal, in: db)
            try Sessions.requireStepUp(principal, at: now, in: db)
            let pair = try DevicePair(id, other, db)
            guard let maker = maker(pair.staying.integration) else {
                throw MoveProblem.refused(MergeRefusal("Devices of \(pair.staying.integration) cannot be merged."))
            }
            let result: MergedDevice
            do { result = try maker.merge(pair.merging(pair.going), into: pair.merging(pair.staying)) } catch let refusal as MergeRefusal {
                throw MoveProblem.refused(refusal)
            }
            let moved = try pair.merge(result, at: now, in: db)
            let device = try DeviceRecords.one(pair.staying.id, db).orThrow(MoveProblem.notFound)
            if pair.isAnnounced(pair.going) { try Devices.journal(.deviceWithdrawn, pair.going.id, at: now, in: db) }
            var turn = RuleTurn.data(from: pair.staying, to: device)
            turn["merged"] = .string(pair.going.id)
            try Devices.tell("device.merge", .deviceChanged, device.id, turn, by: principal, origin: origin, at: now, in: db)
            return Moved(
                move: Move(device: device, moved: moved), changed: try Self.reached(through: device, db), gone: [pair.going.id],
                aliases: try FormerIDs(db))
        } committed: { [self] in
            take($0)
        }
        reload(merged.move.device.integration)
        await moveHistory()
        return merged.move
    }

    /// A move as it was committed, for what is kept in memory.
    struct Moved: Sendable {
        let move: Move
        let changed: [Device]
        let gone: [String]
        let aliases: FormerIDs
    }

    func take(_ moved: Moved) { devices.keep([moved.move.device] + moved.changed, without: moved.gone, aliases: moved.aliases) }

    /// The mind's memories follow in commits of their own, or at the next start.
    func moveHistory() async {
        do { try await Aliases.moveHistory(in: store) } catch {
            logger.warning("what is remembered of a device is not moved yet", metadata: ["error": "\(type(of: error))"])
        }
    }

    /// Devices that are reached through this one.
    static func reached(through device: Device, _ db: Database) throws -> [Device] {
        try String.fetchAll(db, sql: "SELECT id FROM devices WHERE hub_id = ? AND withdrawn_at IS NULL", arguments: [device.id])
            .compactMap { try DeviceRecords.one($0, db) }
    }
}

/// Two devices that are to be merged, as they are.
private struct DevicePair {
    let staying: Device
    let going: Device
    private let announced: Set<String>

    /// - Throws: `Integrations.MoveProblem`
    init(_ id: String, _ other: String, _ db: Database) throws {
        let ids = (try Aliases.resolved(.device, id, db), try Aliases.resolved(.device, other, db))
        guard let first = try DeviceRecords.known(ids.0, db) else { throw Integrations.MoveProblem.notFound }
        guard let second = try DeviceRecords.known(ids.1, db) else { throw Integrations.MoveProblem.noSuchOther }
        guard ids.0 != ids.1 else { throw Integrations.MoveProblem.same(field: "with") }
        guard first.device.integration == second.device.integration else {
            throw Integrations.MoveProblem.otherIntegration(first.device.integration, second.device.integration)
        }
        announced = Set([first, second].filter { $0.isAnnounced }.map { $0.device.id })
        guard !announced.isEmpty else { throw Integrations.MoveProblem.bothGone }
        let isFirst = try Self.isNamed(ids.0, db) || !Self.isNamed(ids.1, db)
        (staying, going) = isFirst ? (first.device, second.device) : (second.device, first.device)
    }

    private static func isNamed(_ id: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM guest_items WHERE device_id = ?1) OR EXISTS (SELECT 1 FROM buttons WHERE device_id = ?1)
                """, arguments: [id]) ?? false
    }

    func isAnnounced(_ device: Device) -> Bool { announced.contains(device.id) }

    func merging(_ device: Device) -> MergingDevice { MergingDevice(attributes: device.attributes, isAnnounced: isAnnounced(device)) }

    func merge(_ result: MergedDevice, at now: Date, in db: Database) throws -> ReferenceCounts {
        let renaming = Renaming(
            from: going.id, to: staying.id, entities: result.sameEntities, isWhole: true, before: [staying, going].filter(isAnnounced))
        let counts = try References.move(renaming, at: now, in: db)
        try joinEntities(result.sameEntities, in: db)
        try joinDevices(result.attributes, at: now, in: db)
        for (former, id) in result.sameEntities { try Aliases.add(.entity, former, of: id, at: now, in: db) }
        try Aliases.add(.device, going.id, of: staying.id, at: now, in: db)
        try DeviceRecords.judgeWaysIn(of: staying.id, in: db)
        return counts
    }

    /// Of a device that was withdrawn nothing is there; what is left of its entities goes.
    private func joinEntities(_ same: [String: String], in db: Database) throws {
        for device in [staying, going] where !isAnnounced(device) {
            try db.execute(sql: "DELETE FROM entities WHERE device_id = ?", arguments: [device.id])
        }
        for (former, id) in same { try db.execute(sql: "UPDATE entities SET id = ? WHERE id = ?", arguments: [id, former]) }
        try db.execute(
            sql: "UPDATE entities SET device_id = ?, position = position + ? WHERE device_id = ?",
            arguments: [staying.id, isAnnounced(staying) ? staying.entities.count : 0, going.id])
    }

    /// Both devices' rules hold together: the stricter of each.
    private func joinDevices(_ attributes: [String: JSONValue], at now: Date, in db: Database) throws {
        let (there, other) = isAnnounced(staying) ? (staying, going) : (going, staying)
        let all = other.attributes.merging(there.attributes) { _, now in now }.merging(attributes) { _, merged in merged }
        let isOnline = [staying, going].contains { isAnnounced($0) && $0.status == .online }
        let status = isOnline ? DeviceStatus.online : there.status
        let isSecurityDevice = staying.isSecurityDevice || going.isSecurityDevice
        let isGuestAccessible = staying.isGuestAccessible && going.isGuestAccessible
        let revision = max(staying.revision, going.revision) + 1
        let changedAt = max(staying.stateChangedAt, going.stateChangedAt)
        try db.execute(
            sql: """
                UPDATE devices SET withdrawn_at = NULL, device_class = ?, room_id = coalesce(room_id, ?), manufacturer = ?, model = ?,
                    status = ?, is_security_device = ?, is_guest_accessible = ?, attributes = ?, version = version + 1, revision = ?,
                    state_changed_at = ?
                WHERE id = ?
                """,
            arguments: [
                there.deviceClass.rawValue, going.roomID, there.manufacturer, there.model, status.rawValue, isSecurityDevice,
                isGuestAccessible, try JSONText.encode(.object(all)), revision, changedAt.milliseconds, staying.id,
            ])
        try db.execute(
            sql: """
                UPDATE devices SET withdrawn_at = coalesce(withdrawn_at, ?), revision = revision + 1, version = version + 1 WHERE id = ?
                """, arguments: [now.milliseconds, going.id])
    }
}

extension DeviceRecords {
    /// Judges anew which entities of a device are ways in.
    static func judgeWaysIn(of deviceID: String, in db: Database) throws {
        for entity in try one(deviceID, db)?.entities ?? [] {
            try db.execute(sql: "UPDATE entities SET is_way_in = ? WHERE id = ?", arguments: [entity.isWayIn, entity.id])
        }
    }
}
