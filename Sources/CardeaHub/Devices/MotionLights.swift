import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Switches the lights of rooms by motion, if a person chose that for the room: through the gate, as an automation for which an owner is
/// responsible. `MotionLighting` decides when.
public final class MotionLights: Service, Sendable {
    private let store: Store
    private let house: House
    private let devices: Devices
    private let batches: CommandBatches
    private let environment: HubEnvironment
    private let logger: Logger
    private let signal = ChangeSignal()
    private let commandedEntities = CommandedEntities()
    private let rooms = Mutex<[String: MotionLighting]>([:])

    /// Entities that others sent commands to since the last evaluation.
    private final class CommandedEntities: Sendable {
        private let ids = Mutex<Set<String>>([])

        func insert(_ id: String) { ids.withLock { _ = $0.insert(id) } }

        func drain() -> Set<String> {
            ids.withLock { ids in
                defer { ids = [] }
                return ids
            }
        }
    }

    /// Seconds until an evaluation without a change, and until one after an error.
    private static let idleInterval: TimeInterval = 3600
    private static let retryInterval: TimeInterval = 10

    init(store: Store, house: House, devices: Devices, batches: CommandBatches, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.house = house
        self.devices = devices
        self.batches = batches
        self.environment = environment
        self.logger = logger
        store.onCommit { [signal, commandedEntities, house] rows in
            let isChosen = house.current.rooms.contains(where: \.traits.lighting.motionActivated)
            guard isChosen || rows.contains(where: { $0.kind == .roomChanged }) else { return }
            for row in rows {
                guard row.kind == .commandAccepted, let command = row.about as? Command, Self.room(ofPrincipal: command.principal) == nil
                else { continue }
                commandedEntities.insert(command.entityID)
            }
            signal.signal()
        }
    }

    public func run() async throws {
        try await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                let seen = signal.changeCount
                var next = environment.now().addingTimeInterval(Self.idleInterval)
                do {
                    if let wanted = try await evaluate() { next = min(next, wanted) }
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning("motion lights could not be switched", metadata: ["error": "\(type(of: error))"])
                    next = environment.now().addingTimeInterval(Self.retryInterval)
                }
                do { try await signal.wait(after: seen, until: next, environment) } catch is CancellationError { return }
            }
        }
    }

    /// Evaluates every room for which it was chosen, and submits the commands. `run` calls it; other callers need not.
    ///
    /// - Returns: the time of the next evaluation without a change.
    func evaluate() async throws -> Date? {
        let chosen = house.current.rooms.filter(\.traits.lighting.motionActivated).map(\.id)
        for room in chosen where rooms.withLock({ $0[room] == nil }) {
            let own = try await ownLights(in: room)
            rooms.withLock { if $0[room] == nil { $0[room] = MotionLighting(own: own) } }
        }
        let turns = rooms.withLock { rooms -> [Evaluation] in
            rooms = rooms.filter { chosen.contains($0.key) }
            // Read inside the lock, so that no concurrent evaluation uses the state of before.
            let (touched, now) = (commandedEntities.drain(), environment.now())
            var turns: [Evaluation] = []
            for room in chosen {
                var before = rooms[room] ?? MotionLighting()
                before.releaseTouched(touched)
                var after = before
                let step = after.update(at: connectedDevices(of: room), now: now)
                rooms[room] = after
                turns.append(Evaluation(room: room, before: before, after: after, step: step))
            }
            return turns
        }
        var next = turns.compactMap { $0.step.next }.min()
        for turn in turns {
            do { try await submit(turn.step, in: turn.room) } catch let error as CancellationError {
                throw error
            } catch {
                logger.warning("motion lights could not be switched", metadata: ["error": "\(type(of: error))"])
                // No command was submitted: the room's state is reset, and it is evaluated again soon.
                rooms.withLock { if $0[turn.room] == turn.after { $0[turn.room] = turn.before } }
                let soon = environment.now().addingTimeInterval(Self.retryInterval)
                next = next.map { min($0, soon) } ?? soon
            }
        }
        return next
    }

    /// The evaluation of one room.
    private struct Evaluation: Sendable {
        let room: String
        let before: MotionLighting
        let after: MotionLighting
        let step: MotionLighting.Step
    }

    private func connectedDevices(of room: String) -> [Device] {
        devices.all.devices.filter { $0.roomID == room && !$0.isPlanned }
    }

    private func submit(_ step: MotionLighting.Step, in room: String) async throws {
        let asked = [(step.on, Verb.on), (step.off, Verb.off)].flatMap { lights, verb in
            lights.map { CommandBatches.Item(deviceID: $0.deviceID, entityID: $0.entityID, action: verb.rawValue) }
        }
        guard !asked.isEmpty else { return }
        let owner = try await store.read { db in try PeopleRecords.all(db).first { $0.role == .owner && !$0.isDisabled }?.id }
        guard let owner else { return }
        let principal = Principal.automation(id: Self.id(of: room), personID: owner)
        _ = try await batches.submit(Array(asked.prefix(CommandBatches.limit)), by: principal, call: nil, origin: .house, arePreset: true)
    }

    /// Lights that an earlier run of the hub switched on and that have been on since.
    private func ownLights(in room: String) async throws -> Set<String> {
        let lights = connectedDevices(of: room).flatMap { device in
            // After a start, no light's state is known before its report.
            MotionLighting.lights(of: device).filter { ($0.lastReport?.state ?? $0.state).value == "on" }.map { ($0.id, device) }
        }
        guard !lights.isEmpty else { return [] }
        return try await store.read { db in
            var own: Set<String> = []
            for (id, device) in lights {
                let row = try Row.fetchOne(
                    db, sql: "SELECT principal, verb, finished_at FROM commands WHERE entity_id = ? ORDER BY accepted_at DESC LIMIT 1",
                    arguments: [id])
                guard let row else { continue }
                let (principal, verb, finishedAt): (String, String, Int64?) = (row[0], row[1], row[2])
                guard Self.room(ofPrincipal: principal) == room, verb != Verb.off.rawValue, let finishedAt,
                    device.stateChangedAt <= Date(milliseconds: finishedAt + 1000)
                else { continue }
                own.insert(id)
            }
            return own
        }
    }

    // MARK: As an automation

    /// The name in the audit log, in place of an automation's.
    static let name = "Lights with motion"

    private static let idPrefix = "motion-lights-"

    static func id(of room: String) -> String { idPrefix + room }

    /// The room whose lights an automation with this ID switches; nil for automations that people wrote.
    static func room(of id: String) -> String? { id.hasPrefix(idPrefix) ? String(id.dropFirst(idPrefix.count)) : nil }

    private static func room(ofPrincipal key: String) -> String? {
        let parts = key.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "automation" else { return nil }
        return room(of: String(parts[1]))
    }

    /// An owner's rights, limited to the lights of the room, as long as its motion lighting is on.
    static func grant(_ room: String, as person: Person, _ db: Database) throws -> Grant? {
        let isChosen = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM rooms WHERE id = ? AND motion_light = 1"), arguments: [room])
        guard isChosen == true, person.role == .owner else { return nil }
        let ids = try String.fetchAll(
            db.cachedStatement(sql: "SELECT id FROM devices WHERE room_id = ? AND withdrawn_at IS NULL"), arguments: [room])
        let lights = try ids.compactMap { try DeviceRecords.one($0, db) }.flatMap { device in
            MotionLighting.lights(of: device).map {
                Grant.Item(deviceID: device.id, entityID: $0.id, verbs: [.on, .off, .setBrightness])
            }
        }
        return Grant(id: "automation:\(id(of: room))", scope: person.grant.scope, only: lights)
    }
}
