import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The household's decisions about its ways in.
extension Devices {
    public enum WayInResolution: Sendable {
        /// It opens a way in: a relay at a garage, an unlatch button.
        case opens
        /// It is the same door as before, with its new announcement.
        case sameDoor
        /// It opens none, with its new announcement.
        case opensNone
    }

    /// Decides whether entities of a device open a way in, are the same doors as before, or open none.
    ///
    /// The first decision is free, since it only narrows access; the others require a step-up.
    ///
    /// - Parameter entityIDs: nil for all of the device's entities that wait for this decision: those that were closed, or are ways in only
    ///   because the house remembers them as such.
    /// - Throws: `EditError`, `Sessions.SessionError.stepUpRequired`, and `People.PersonError` without the right to change settings.
    public func resolveWayIn(
        _ word: WayInResolution, of entityIDs: [String]? = nil, on deviceID: String, by principal: Principal, origin: RequestOrigin
    ) async throws -> Device {
        let (now, deviceID, entityIDs) = (environment.now(), formerIDs.device(deviceID), entityIDs?.map(formerIDs.entity))
        let changed = try await store.auditedWrite("device.change", on: .device(deviceID), by: principal, origin: origin, at: now) {
            context in
            try People.require(.modifySettings, of: principal, in: context.db)
            guard let device = try DeviceRecords.one(deviceID, context.db) else { throw EditError.notFound }
            let entities = try Self.entities(entityIDs, of: device, word)
            guard !entities.isEmpty else { return [device] }
            if word != .opens { try Sessions.requireStepUp(principal, at: now, in: context.db) }
            var others: [String: Device] = [:]
            for entity in entities {
                others.merge(try WayInProtection.apply(word, of: entity, on: device, at: now, in: context.db)) { first, _ in first }
            }
            others[deviceID] = nil
            try DeviceRecords.incrementVersion(deviceID, in: context.db)
            guard let changed = try DeviceRecords.one(deviceID, context.db) else { throw EditError.notFound }
            let turn = RuleChange.data(from: device, to: changed)
            try Self.record("device.change", .deviceChanged, deviceID, turn, in: context)
            return try [changed] + others.values.sorted { $0.id < $1.id }.compactMap { try Self.refreshWayIn($0, at: now, in: context.db) }
        } committed: { [self] changed in
            updateCache(changed)
        }
        return try changed.first.orThrow(EditError.notFound)
    }

    private static func entities(_ ids: [String]?, of device: Device, _ word: WayInResolution) throws -> [Entity] {
        guard let ids else {
            return device.entities.filter {
                switch word {
                case .opens: false
                case .sameDoor: $0.restrictions.isClosed || $0.restrictions.hasChangedCommands
                case .opensNone: $0.restrictions.isHeld && !$0.isDeclaredWayIn
                }
            }
        }
        return try ids.compactMap { id in
            guard let entity = device.entities.first(where: { $0.id == id }) else { throw EditError.noSuchEntity }
            guard entity.canBeMarkedWayIn || entity.restrictions.isHeld else { throw EditError.neverWayIn(entity.kind) }
            let isSaid =
                switch word {
                case .opens: entity.opensWayIn
                case .sameDoor: !entity.restrictions.isClosed && !entity.restrictions.hasChangedCommands
                case .opensNone: !entity.opensWayIn && !entity.restrictions.isHeld
                }
            return isSaid ? nil : entity
        }
    }
}

extension WayInProtection {
    /// Writes the household's decision.
    ///
    /// - Returns: other devices of which an entity became a way in through it, as they were before.
    fileprivate static func apply(
        _ word: Devices.WayInResolution, of entity: Entity, on device: Device, at now: Date, in db: Database
    ) throws -> [String: Device] {
        let before = try WayInRecords.memory(of: entity.id, db)
        var memory =
            try before
            ?? WayInMemory(isOwn: true, isSecurity: device.isSecurityDevice, wiring: WayInRecords.announcedWiring(entity.id, db))
        switch word {
        case .opens:
            if entity.canBeMarkedWayIn { try WayInMarkRecords.set(true, entity.id, at: now, in: db) }
            memory.mark()
        case .sameDoor: memory.confirm()
        case .opensNone:
            try WayInMarkRecords.set(false, entity.id, at: now, in: db)
            var unmarked = entity
            unmarked.opensWayIn = false
            // A lock stays a way in. It can still be declared independent of the way in whose topic it shares.
            if unmarked.isDeclaredWayIn { memory.confirm() } else { memory.release() }
        }
        return try write(memory, over: before, of: entity.id, called: entity.name, at: now, in: db)
    }
}

extension Devices {
    /// The wiring of a device's ways in, as the household remembers it and as it is announced, for a person who must decide what they are.
    ///
    /// - Throws: `EditError.notFound`, and `People.PersonError` without the right to change settings.
    public func wayInMemories(of deviceID: String, by principal: Principal) async throws -> [(
        entity: Entity, memory: WayInMemory
    )] {
        try await store.read { db in
            try People.require(.modifySettings, of: principal, in: db)
            guard let device = try DeviceRecords.one(deviceID, db) else { throw EditError.notFound }
            return try device.entities.compactMap { entity in
                guard entity.restrictions.isHeld, let memory = try WayInRecords.memory(of: entity.id, db) else { return nil }
                return (entity, memory)
            }
        }
    }

    // MARK: For integrations

    public func wayInHold(of entityID: String) -> WayInRestrictions { entity(entityID)?.restrictions ?? WayInRestrictions() }

    public func mayMoveWayIn(topic: String) async throws -> Bool {
        try await store.read { try WayInRecords.mayMoveWayIn(topic, $0) }
    }
}
