import CardeaHub
import CardeaModel
import Foundation
import Logging
import ServiceLifecycle

/// A simulated house: a bolt takes a moment, can jam on request, a thermostat drifts.
///
/// For the tour, for trying things out, and for tests. It moves nothing real.
public actor VirtualHouse: DeviceBackend, Service {
    public nonisolated let integration = "virtual"

    private let sink: any DeviceSink
    private let environment: HubEnvironment
    private let timing: Timing
    private let isLivedIn: Bool
    private let initialDevices: [Device]
    private let logger: Logger
    /// Entities that move just now.
    private var moving: Set<String> = []
    private var devices: [String: Device]
    private var faults: [String: Fault] = [:]
    /// Entities whose last state the house could not store.
    private var unreportedEntities: Set<String> = []
    private let since: Date
    private nonisolated let backendCommands = AsyncStream<BackendCommand>.makeStream()

    /// The speeds of movements.
    public struct Timing: Sendable {
        /// Seconds a bolt takes.
        public var bolt: TimeInterval
        /// Seconds a garage door takes all the way.
        public var garage: TimeInterval
        /// Seconds between two weather updates.
        public var weather: TimeInterval

        public init(bolt: TimeInterval, garage: TimeInterval, weather: TimeInterval) {
            self.bolt = bolt
            self.garage = garage
            self.weather = weather
        }

        public static let realistic = Timing(bolt: 0.8, garage: 4, weather: 20)
        /// An hour of the day passes in five seconds.
        public static let accelerated = Timing(bolt: 0.8, garage: 4, weather: 5)
    }

    /// The faults that a virtual device can simulate.
    public enum Fault: String, Sendable, CaseIterable {
        case none, jam, silent, unreachable
    }

    /// - Parameters:
    ///   - known: the devices as the store knows them; a bolt that was open before a restart is open after it.
    ///   - isLivedIn: true to simulate people who come and go, and do things by hand.
    ///   - moreLights: lights beside the usual furnishings, to test a large house.
    public init(
        sink: any DeviceSink, known: [Device] = [], environment: HubEnvironment = .real, pace: Timing = .realistic, isLivedIn: Bool = false,
        moreLights: Int = 0, logger: Logger
    ) {
        self.sink = sink
        self.logger = logger
        self.environment = environment
        self.timing = pace
        self.isLivedIn = isLivedIn
        since = environment.now()
        initialDevices = VirtualDeviceCatalog.devices(at: since) + VirtualDeviceCatalog.lights(moreLights, at: since)
        let known = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        devices = Dictionary(
            initialDevices.map { device in
                var device = device
                guard let before = known[device.id] else { return (device.id, device) }
                device.attributes.merge(before.attributes) { _, said in said }
                for index in device.entities.indices {
                    if let entity = before.entities.first(where: { $0.id == device.entities[index].id }),
                        let said = entity.lastReport?.state ?? (entity.state.isUnknown ? nil : entity.state)
                    {
                        // Its features come from the current definition, whatever state was stored.
                        let furnished = device.entities[index].state.attributes
                        device.entities[index].state = VirtualDeviceCatalog.atRest(said)
                        device.entities[index].state.attributes.merge(furnished) { kept, _ in kept }
                    }
                }
                return (device.id, device)
            }, uniquingKeysWith: { _, last in last })
    }

    /// Announces all devices, with their states.
    public func announceDevices() async throws {
        for device in initialDevices.compactMap({ devices[$0.id] }) {
            // A device whose place another one took is gone.
            do { try await sink.announce(device) } catch is DeviceIDConflictError { continue } catch is EntityIDConflictError { continue }
            try await sink.report(
                device.entities.map { EntityReport(entityID: $0.id, state: $0.state, deviceAttributes: device.attributes, isFresh: false) })
        }
        try await sink.reportAvailability(.online, deviceIDs: Array(devices.keys))
    }

    /// Sets or clears a device's fault. Returns false if there is no such device.
    public func set(_ fault: Fault, on deviceID: String) async throws -> Bool {
        guard devices[deviceID] != nil else { return false }
        faults[deviceID] = fault == .none ? nil : fault
        try await sink.reportAvailability(fault == .unreachable ? .offline : .online, deviceIDs: [deviceID])
        // Reachable again, it reports its state.
        if fault != .unreachable, let device = devices[deviceID] {
            try await sink.report(device.entities.map { EntityReport(entityID: $0.id, state: $0.state, isFresh: false) })
        }
        return true
    }

    public func perform(_ backendCommand: BackendCommand) async -> DispatchResult {
        guard devices[backendCommand.deviceID] != nil else { return .refused(reason: "no such device") }
        if faults[backendCommand.deviceID] == .unreachable { return .refused(reason: "unreachable") }
        backendCommands.continuation.yield(backendCommand)
        return .dispatched
    }

    public func refresh(entityID: String) async {
        guard let (device, entity) = find(entityID) else { return }
        try? await sink.report([EntityReport(entityID: entityID, state: entity.state, deviceAttributes: device.attributes)])
    }

    public func health() -> IntegrationHealth {
        IntegrationHealth(status: .connected, since: since)
    }

    public func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.runClock() }
            for await backendCommand in backendCommands.stream.cancelOnGracefulShutdown() {
                group.addTask {
                    await self.execute(ResidentRoutine.Action(backendCommand.verb, backendCommand.entityID, backendCommand.value))
                }
            }
            group.cancelAll()
        }
    }

    // MARK: Movement

    private func execute(_ deed: ResidentRoutine.Action) async {
        guard let (device, entity) = find(deed.entityID), faults[device.id] != .silent else { return }
        moving.insert(entity.id)
        defer { moving.remove(entity.id) }
        for step in DeviceSimulation.steps(deed.verb, value: deed.value, of: entity, jams: faults[device.id] == .jam, pace: timing) {
            if step.after > 0 {
                do { try await environment.sleep(environment.now().addingTimeInterval(step.after)) } catch { return }
            }
            await apply(step, deed.entityID)
        }
    }

    private func apply(_ step: DeviceSimulation.Step, _ entityID: String) async {
        guard var (device, _) = find(entityID), let index = device.entities.firstIndex(where: { $0.id == entityID }) else { return }
        device.entities[index].state = step.state
        var changed: [String: JSONValue] = [:]
        if step.actuates {
            let count = (device.attributes["actuations"]?.number ?? 0) + 1
            changed["actuations"] = .number(count)
            device.attributes["actuations"] = .number(count)
        }
        devices[device.id] = device
        await report([EntityReport(entityID: entityID, state: step.state, deviceAttributes: changed)])
    }

    /// A store that cannot write, as on a full disk, must not end the house: the device has moved, and the next report says so.
    private func report(_ reports: [EntityReport]) async {
        do {
            try await sink.report(reports)
        } catch {
            unreportedEntities.formUnion(reports.map(\.entityID))
            logger.error(
                "virtual device reports could not be stored", metadata: ["reports": "\(reports.count)", "error": "\(type(of: error))"])
        }
    }

    private func find(_ entityID: String) -> (device: Device, entity: Entity)? {
        for device in devices.values {
            if let entity = device.entities.first(where: { $0.id == entityID }) { return (device, entity) }
        }
        return nil
    }

    // MARK: Time

    private func runClock() async {
        await cancelWhenGracefulShutdown {
            var hour = self.isLivedIn ? ResidentRoutine.firstHour : 0
            while true {
                do {
                    try await self.environment.sleep(self.environment.now().addingTimeInterval(self.timing.weather))
                } catch { return }
                hour += 1
                await self.simulateDrift(hour)
                if self.isLivedIn { await self.simulateHour(through: hour) }
            }
        }
    }

    private func simulateHour(through hour: Int) async {
        // A command in progress is not disturbed.
        for deed in ResidentRoutine.actions(at: hour) where !moving.contains(deed.entityID) { await execute(deed) }
    }

    private func simulateDrift(_ hour: Int) async {
        var reports = unreportedEntities.compactMap { id in
            find(id).map { EntityReport(entityID: id, state: $0.entity.state, isFresh: false) }
        }
        unreportedEntities = []
        for (id, device) in devices {
            var device = device
            for index in device.entities.indices {
                guard let state = DeviceSimulation.drift(device.entities[index], hour: hour, isLivedIn: isLivedIn),
                    state != device.entities[index].state
                else { continue }
                device.entities[index].state = state
                reports.append(EntityReport(entityID: device.entities[index].id, state: state))
            }
            devices[id] = device
        }
        await report(reports)
    }
}
