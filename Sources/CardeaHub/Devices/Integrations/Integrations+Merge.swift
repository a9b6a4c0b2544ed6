import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging

/// Merging of two records of one physical device: one stays, and the other's ID becomes an alias of it.
extension Integrations {
    /// The reason why two devices cannot be merged, or an entity cannot replace another.
    public enum MoveError: Error {
        case notFound
        /// The second device does not exist.
        case noSuchOther
        case noSuchEntity
        /// Both are the same device or entity; `field` is the request's field with the second ID.
        case same(field: String)
        /// They belong to two integrations.
        case otherIntegration(String, String)
        /// The integration refused.
        case refused(MergeError)
        /// Both were withdrawn, so none can stay.
        case bothGone
        /// The door to be replaced is connected; its name.
        case stillConnected(String)
        /// Nothing in the house refers to such a door.
        case nothingToReplace
        case otherKind(EntityKind, instead: EntityKind)
        /// The new entity lacks these actions, which passes, buttons, scenes or automations use on the old one.
        case unsupported([String])
    }

    /// The outcome of a merge or of a replacement.
    public struct Move: Sendable {
        /// The device that stays, in its new state.
        public let device: Device
        public let moved: ReferenceCounts
    }

    /// Makes one device out of two. The ID that passes or buttons name stays; `id`, if both or neither are named. References to the other
    /// device, and its ID, then name this one.
    ///
    /// - Throws: `MoveError`, `Sessions.SessionError.stepUpRequired`, and `People.PersonError` without the right to change settings.
    public func merge(_ id: String, with other: String, by principal: Principal, origin: RequestOrigin) async throws -> Move {
        let now = environment.now()
        let merged = try await store.auditedWrite("device.merge", on: .device(id), by: principal, origin: origin, at: now) {
            [self] context in
            try People.require(.modifySettings, of: principal, in: context.db)
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            let pair = try DeviceMergePair(id, other, context.db)
            guard let maker = factory(pair.staying.integration) else {
                throw MoveError.refused(MergeError("Devices of \(pair.staying.integration) cannot be merged."))
            }
            let result: MergeResult
            do { result = try maker.merge(pair.candidate(pair.removed), into: pair.candidate(pair.staying)) } catch let refusal
                as MergeError
            {
                throw MoveError.refused(refusal)
            }
            let moved = try pair.merge(result, at: now, in: context.db)
            let device = try DeviceRecords.one(pair.staying.id, context.db).orThrow(MoveError.notFound)
            if pair.isAnnounced(pair.removed) { try Devices.journal(.deviceWithdrawn, pair.removed.id, at: now, in: context.db) }
            var turn = RuleChange.data(from: pair.staying, to: device)
            turn["merged"] = .string(pair.removed.id)
            try Devices.record("device.merge", .deviceChanged, device.id, turn, in: context)
            return CommittedMove(
                move: Move(device: device, moved: moved), changed: try Self.connected(through: device, context.db),
                removed: [pair.removed.id], aliases: try FormerIDs(context.db))
        } committed: { [self] in
            apply($0)
        }
        reload(merged.move.device.integration)
        await moveHistory()
        return merged.move
    }

    /// A committed move, for the copies in memory.
    struct CommittedMove: Sendable {
        let move: Move
        let changed: [Device]
        let removed: [String]
        let aliases: FormerIDs
    }

    func apply(_ moved: CommittedMove) {
        devices.updateCache([moved.move.device] + moved.changed, without: moved.removed, aliases: moved.aliases)
    }

    /// Moves the mind's memories in separate commits. An interrupted move is completed at the next start.
    func moveHistory() async {
        do { try await AliasRecords.moveHistory(in: store) } catch {
            logger.warning("memories of a merged device not moved yet", metadata: ["error": "\(type(of: error))"])
        }
    }

    /// Devices that are connected through this one.
    static func connected(through device: Device, _ db: Database) throws -> [Device] {
        try String.fetchAll(db, sql: "SELECT id FROM devices WHERE hub_id = ? AND withdrawn_at IS NULL", arguments: [device.id])
            .compactMap { try DeviceRecords.one($0, db) }
    }
}

extension DeviceRecords {
    /// Determines again which entities of a device are ways in.
    static func reclassifyWaysIn(of deviceID: String, in db: Database) throws {
        for entity in try one(deviceID, db)?.entities ?? [] {
            try db.execute(sql: "UPDATE entities SET is_way_in = ? WHERE id = ?", arguments: [entity.isWayIn, entity.id])
        }
    }
}
