import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Scenes: several actions with one trigger. The person who runs a scene must hold the right to each of its actions; the scene itself gives
/// none.
public struct Scenes: Sendable {
    let store: Store
    let batches: CommandBatches
    let idempotency: IdempotencyStore
    let environment: HubEnvironment

    /// The wanted content of a scene.
    public struct Draft: Sendable {
        public var name: String
        public var icon: String?
        public var actions: [CommandBatches.Item]

        public init(name: String, icon: String?, actions: [CommandBatches.Item]) {
            self.name = name
            self.icon = icon
            self.actions = actions
        }
    }

    public enum SceneError: Error {
        case notFound
        case name(Name.NameError)
        case icon
        /// No actions, or more than a batch may hold.
        case size
        /// The action at this index, counted from 0, was refused.
        case action(Int, CommandRefusal)
        /// The actions contradict each other on one device.
        case contradiction
        case full
        /// Another user changed it in the meantime.
        case stale(Scene)
    }

    /// A limit, so that scenes cannot fill the disk.
    static let limit = 500

    // MARK: Reading

    public func all(seenBy principal: Principal) async throws -> [Scene] {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            return try SceneRecords.all(db)
        }
    }

    public func one(_ id: String, seenBy principal: Principal) async throws -> Scene {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            guard let scene = try SceneRecords.one(id, db) else { throw SceneError.notFound }
            return scene
        }
    }

    // MARK: Making and changing

    public func add(_ draft: Draft, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin) async throws -> (
        Scene, isReplay: Bool
    ) {
        let (now, id) = (environment.now(), "scene_" + environment.newID())
        return try await store.auditedWrite("scene.add", by: principal, origin: origin, at: now) { context in
            let outcome = try idempotency.run(call, in: context) {
                let person = try People.require(.modifySettings, of: principal, in: context.db)
                guard try SceneRecords.count(context.db) < Self.limit else { throw SceneError.full }
                let (name, icon, actions) = try Self.validated(
                    draft, previous: [], by: person, isLocal: origin.isLocal, at: now, in: context.db)
                let scene = Scene(id: id, name: name, icon: icon, actions: actions, version: 1, createdAt: now, changedAt: now)
                try SceneRecords.write(scene, in: context.db)
                try AccessChanges.record(.scene, id, in: context)
                try Self.record("scene.add", scene.id, in: context)
                return id
            }
            guard let scene = try SceneRecords.one(outcome.answer, context.db) else { throw SceneError.notFound }
            return (scene, outcome.isReplay)
        }
    }

    public func replace(
        _ id: String, with draft: Draft, seen: ExpectedVersion, by principal: Principal, origin: RequestOrigin
    ) async throws -> Scene {
        let now = environment.now()
        return try await store.auditedWrite("scene.change", by: principal, origin: origin, at: now) { context in
            let person = try People.require(.modifySettings, of: principal, in: context.db)
            var scene = try Self.fetchCurrent(id, seen, context.db)
            (scene.name, scene.icon, scene.actions) = try Self.validated(
                draft, previous: scene.actions, by: person, isLocal: origin.isLocal, at: now, in: context.db)
            scene.version += 1
            scene.changedAt = now
            try SceneRecords.write(scene, in: context.db)
            try AccessChanges.record(.scene, id, in: context)
            try Self.record("scene.change", id, in: context)
            return scene
        }
    }

    public func remove(_ id: String, seen: ExpectedVersion, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("scene.remove", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            _ = try Self.fetchCurrent(id, seen, context.db)
            try context.db.execute(sql: "DELETE FROM scenes WHERE id = ?", arguments: [id])
            try Self.record("scene.remove", id, in: context)
        }
    }

    // MARK: Running

    /// Submits every action of the scene, with the rights of the person who runs it.
    public func run(_ id: String, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin) async throws
        -> CommandBatches.Outcome
    {
        let scene = try await store.audited("scene.run", by: principal, origin: origin, at: environment.now()) {
            try await one(id, seenBy: principal)
        }
        let items = scene.actions.map { action in
            CommandBatches.Item(
                deviceID: action.deviceID, entityID: action.entityID, action: action.verb.rawValue, value: action.value,
                transition: action.transition)
        }
        return try await batches.submit(items, by: principal, call: call, origin: origin, arePreset: true)
    }

    // MARK: Rules

    private static func fetchCurrent(_ id: String, _ seen: ExpectedVersion, _ db: Database) throws -> Scene {
        guard let scene = try SceneRecords.one(id, db) else { throw SceneError.notFound }
        guard seen.allows(scene.version) else { throw SceneError.stale(scene) }
        return scene
    }

    private static func validated(
        _ draft: Draft, previous: [DeviceAction], by person: Person, isLocal: Bool, at now: Date, in db: Database
    ) throws -> (String, String?, [DeviceAction]) {
        let name: String
        do { name = try Name.check(draft.name) } catch { throw SceneError.name(error) }
        let icon = try draft.icon.map { text in
            guard let icon = try? Name.check(text), icon.count <= 64 else { throw SceneError.icon }
            return icon
        }
        guard (1...CommandBatches.limit).contains(draft.actions.count) else { throw SceneError.size }
        let actions = try draft.actions.enumerated().map { place, item in
            do {
                return try item.action(previous: previous, by: person, isLocal: isLocal, at: now, in: db)
            } catch let refusal as CommandRefusal {
                throw SceneError.action(place, refusal)
            }
        }
        guard let distinct = actions.distinct else { throw SceneError.contradiction }
        return (name, icon, distinct)
    }

    private static func record(_ action: String, _ id: String, in context: TransactionContext) throws {
        let seq = try Journal.append(
            .sceneChanged, subject: id, data: action == "scene.remove" ? ["removed": true] : [:], at: context.now, in: context.db)
        try AuditLog.append(.init(who: .init(context.principal), action: action, result: .done, journalSeq: seq), in: context)
    }
}

extension CommandBatches.Item {
    /// The action in the form in which it is stored to run later. People can store only what they may do themselves.
    ///
    /// - Parameter kept: the actions stored before. An action among them was decided then, and stays as it is.
    /// - Throws: `CommandRefusal`
    func action(
        previous: [DeviceAction] = [], by person: Person, isLocal: Bool, at now: Date, in db: Database
    ) throws -> DeviceAction {
        guard let verb = Verb(requested: action) else { throw CommandRefusal.unknownAction(action) }
        let place = try AliasRecords.resolvePlace(deviceID, entityID, db)
        let wished = DeviceAction(
            deviceID: place.deviceID, entityID: place.entityID, verb: verb, value: value == .null ? nil : value, transition: transition)
        guard let device = try DeviceRecords.one(wished.deviceID, db) else { throw CommandRefusal.deviceNotFound }
        do {
            let (entity, resolved) = try wished.check(on: device, isExisting: previous.contains(wished))
            let request = Gate.Request(resolved, on: entity, of: device, isLocal: isLocal)
            if case .deny(let refusal) = Gate.decide(request, by: person.grant, at: now, zone: .gmt) { throw CommandRefusal.gate(refusal) }
        } catch let problem as DeviceAction.ActionError {
            throw CommandRefusal(problem)
        }
        return wished
    }
}
