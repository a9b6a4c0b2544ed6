import CardeaHub
import CardeaModel
import Foundation
import ServiceLifecycle

/// A house that exists only here, and behaves: a bolt takes a moment, may jam when told to, a thermostat drifts.
///
/// For the tour, for trying things out, and for tests. It moves nothing real.
public actor VirtualHouse: DeviceBackend, Service {
    public nonisolated let integration = "virtual"

    private let desk: any DeviceDesk
    private let surroundings: Surroundings
    private let pace: Pace
    private var devices: [String: Device]
    private var faults: [String: Fault] = [:]
    private let since: Date
    private nonisolated let orders = AsyncStream<DeviceOrder>.makeStream()

    /// How fast things move.
    public struct Pace: Sendable {
        /// Seconds a bolt takes.
        public var bolt: TimeInterval
        /// Seconds a garage door takes all the way.
        public var garage: TimeInterval
        /// Seconds between two looks at the weather.
        public var weather: TimeInterval

        public init(bolt: TimeInterval, garage: TimeInterval, weather: TimeInterval) {
            self.bolt = bolt
            self.garage = garage
            self.weather = weather
        }

        public static let lifelike = Pace(bolt: 0.8, garage: 4, weather: 20)
        public static let instant = Pace(bolt: 0, garage: 0, weather: 3600)
    }

    /// How a virtual device can be told to misbehave.
    public enum Fault: String, Sendable, CaseIterable {
        case none, jam, silent, unreachable
    }

    /// - Parameter known: the devices as the store knows them; a bolt that stood open before a restart stands open after it.
    public init(desk: any DeviceDesk, known: [Device] = [], surroundings: Surroundings = .real, pace: Pace = .lifelike) {
        self.desk = desk
        self.surroundings = surroundings
        self.pace = pace
        since = surroundings.now()
        let known = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        devices = Dictionary(
            Furnishings.devices(at: since).map { device in
                var device = device
                guard let before = known[device.id] else { return (device.id, device) }
                device.attributes.merge(before.attributes) { _, said in said }
                for index in device.entities.indices {
                    if let entity = before.entities.first(where: { $0.id == device.entities[index].id }), entity.state.value != "unknown" {
                        device.entities[index].state = Furnishings.atRest(entity.state)
                    }
                }
                return (device.id, device)
            }, uniquingKeysWith: { _, last in last })
    }

    /// Announces everything, and says how it stands.
    public func furnish() async throws {
        for device in Furnishings.devices(at: since).compactMap({ devices[$0.id] }) {
            try await desk.announce(device)
            try await desk.report(
                device.entities.map { EntityReport(entityID: $0.id, state: $0.state, deviceAttributes: device.attributes, isFresh: false) })
        }
        try await desk.availability(.online, deviceIDs: Array(devices.keys))
    }

    /// Tells a device to misbehave, or to behave again. False when there is no such device.
    public func set(_ fault: Fault, on deviceID: String) async throws -> Bool {
        guard devices[deviceID] != nil else { return false }
        faults[deviceID] = fault == .none ? nil : fault
        try await desk.availability(fault == .unreachable ? .offline : .online, deviceIDs: [deviceID])
        return true
    }

    public func perform(_ order: DeviceOrder) async -> Handover {
        guard devices[order.deviceID] != nil else { return .refused(reason: "no such device") }
        if faults[order.deviceID] == .unreachable { return .refused(reason: "unreachable") }
        orders.continuation.yield(order)
        return .handedOver
    }

    public func refresh(entityID: String) async {
        guard let device = devices.values.first(where: { $0.entities.contains { $0.id == entityID } }),
            let entity = device.entities.first(where: { $0.id == entityID })
        else { return }
        try? await desk.report([EntityReport(entityID: entityID, state: entity.state, deviceAttributes: device.attributes)])
    }

    public func health() -> IntegrationHealth {
        IntegrationHealth(status: .connected, since: since)
    }

    public func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await self.weather() }
            for await order in orders.stream.cancelOnGracefulShutdown() {
                group.addTask { try await self.move(order) }
            }
            group.cancelAll()
        }
    }

    // MARK: How things move

    private func move(_ order: DeviceOrder) async throws {
        guard let entity = entity(order), faults[order.deviceID] != .silent else { return }
        for step in Motion.steps(order.verb, value: order.value, of: entity, jams: faults[order.deviceID] == .jam, pace: pace) {
            if step.after > 0 {
                do { try await surroundings.sleep(surroundings.now().addingTimeInterval(step.after)) } catch is CancellationError { return }
            }
            try await say(step, order)
        }
    }

    private func say(_ step: Motion.Step, _ order: DeviceOrder) async throws {
        guard var device = devices[order.deviceID], let index = device.entities.firstIndex(where: { $0.id == order.entityID }) else {
            return
        }
        device.entities[index].state = step.state
        var changed: [String: JSONValue] = [:]
        if step.actuates {
            let count = (device.attributes["actuations"]?.number ?? 0) + 1
            changed["actuations"] = .number(count)
            device.attributes["actuations"] = .number(count)
        }
        devices[order.deviceID] = device
        try await desk.report([EntityReport(entityID: order.entityID, state: step.state, deviceAttributes: changed)])
    }

    private func entity(_ order: DeviceOrder) -> Entity? {
        devices[order.deviceID]?.entities.first { $0.id == order.entityID }
    }

    // MARK: Weather

    private func weather() async throws {
        try await cancelWhenGracefulShutdown {
            var hour = 0
            while true {
                do {
                    try await self.surroundings.sleep(self.surroundings.now().addingTimeInterval(self.pace.weather))
                } catch is CancellationError { return }
                hour += 1
                try await self.drift(hour)
            }
        }
    }

    private func drift(_ hour: Int) async throws {
        var reports: [EntityReport] = []
        for (id, device) in devices {
            var device = device
            for index in device.entities.indices {
                guard let state = Motion.drift(device.entities[index], hour: hour), state != device.entities[index].state else { continue }
                device.entities[index].state = state
                reports.append(EntityReport(entityID: device.entities[index].id, state: state))
            }
            devices[id] = device
        }
        try await desk.report(reports)
    }
}
