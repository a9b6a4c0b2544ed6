import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging

/// Two devices of the house that are one: one of them stays, and the other's id is another name of it from then on.
extension Integrations {
    /// A reason for which two devices cannot be merged, or one cannot take another's place.
    public enum MoveError: Error {
        case notFound
        /// The second device is not there.
        case noSuchOther
        case noSuchEntity
        /// Both are the same, as this field says.
        case same(field: String)
        /// They come from two integrations.
        case otherIntegration(String, String)
        /// The integration says no.
        case refused(MergeError)
        /// Both were withdrawn: there is nothing to stay.
        case bothGone
        /// The door that is to be replaced is connected; its name.
        case stillConnected(String)
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
    /// - Throws: `MoveError`, `Sessions.Problem.stepUpRequired`, and `People.Problem` without the right to change settings.
    public func merge(_ id: String, with other: String, by principal: Principal, origin: RequestOrigin) async throws -> Move {
        let now = environment.now()
        let merged = try await store.auditedWrite("device.merge", on: .device(id), by: principal, origin: origin, at: now) { [self] db in
            try People.require(.modifySettings, of: principal, in: db)
            try Sessions.requireStepUp(principal, at: now, in: db)
            let pair = try DevicePair(id, other, db)
            guard let maker = factory(pair.staying.integration) else {
                throw MoveError.refused(MergeError("Devices of \(pair.staying.integration) cannot be merged."))
            }
            let result: MergeResult
            do { result = try maker.merge(pair.candidate(pair.removed), into: pair.candidate(pair.staying)) } catch let refusal
                as MergeError
            {
                throw MoveError.refused(refusal)
            }
            let moved = try pair.merge(result, at: now, in: db)
            let device = try DeviceRecords.one(pair.staying.id, db).orThrow(MoveError.notFound)
            if pair.isAnnounced(pair.removed) { try Devices.journal(.deviceWithdrawn, pair.removed.id, at: now, in: db) }
            var turn = RuleChange.data(from: pair.staying, to: device)
            turn["merged"] = .string(pair.removed.id)
            try Devices.record("device.merge", .deviceChanged, device.id, turn, by: principal, origin: origin, at: now, in: db)
            return CommittedMove(
                move: Move(device: device, moved: moved), changed: try Self.connected(through: device, db), removed: [pair.removed.id],
                aliases: try FormerIDs(db))
        } committed: { [self] in
            apply($0)
        }
        reload(merged.move.device.integration)
        await moveHistory()
        return merged.move
    }

    /// A move as it was committed, for what is kept in memory.
    struct CommittedMove: Sendable {
        let move: Move
        let changed: [Device]
        let removed: [String]
        let aliases: FormerIDs
    }

    func apply(_ moved: CommittedMove) {
        devices.updateCache([moved.move.device] + moved.changed, without: moved.removed, aliases: moved.aliases)
    }

    /// The mind's memories follow in commits of their own, or at the next start.
    func moveHistory() async {
        do { try await AliasRecords.moveHistory(in: store) } catch {
            logger.warning("what is remembered of a device is not moved yet", metadata: ["error": "\(type(of: error))"])
        }
    }

    /// Devices that are reached through this one.
    static func connected(through device: Device, _ db: Database) throws -> [Device] {
        try String.fetchAll(db, sql: "SELECT id FROM devices WHERE hub_id = ? AND withdrawn_at IS NULL", arguments: [device.id])
            .compactMap { try DeviceRecords.one($0, db) }
    }
}

extension DeviceRecords {
    /// Judges anew which entities of a device are ways in.
    static func reclassifyWaysIn(of deviceID: String, in db: Database) throws {
        for entity in try one(deviceID, db)?.entities ?? [] {
            try db.execute(sql: "UPDATE entities SET is_way_in = ? WHERE id = ?", arguments: [entity.isWayIn, entity.id])
        }
    }
}
