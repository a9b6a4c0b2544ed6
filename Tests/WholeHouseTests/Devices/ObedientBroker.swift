import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import ServiceLifecycle

/// An integration that can be set up, whose locks do what they are asked, and that knows its entities by keys.
struct ObedientMaker: IntegrationMaker {
    /// The device attribute that holds the ids of its entities by their keys.
    static let keys = "keys"

    let integration = "mqtt"
    /// The entities that were moved, in order.
    let orders = Watched<[String]>([])
    /// How often it has started.
    let starts = Watched(0)

    func make(settings: Data, desk: any DeviceDesk) throws -> any RunningIntegration {
        ObedientBroker(desk: desk, orders: orders, starts: starts)
    }

    func server(_ settings: Data) -> String? { String(decoding: settings, as: UTF8.self) }
    func shown(_ settings: Data) -> [String: JSONValue] { [:] }

    func merge(_ other: MergingDevice, into staying: MergingDevice) throws -> MergedDevice {
        let (ids, same) = try MergedDevice.union(of: Self.keys, in: staying, other)
        return MergedDevice(attributes: [Self.keys: .object(ids)], sameEntities: same)
    }

    /// A lock that it announces.
    static func lock(_ id: String, key: String, at now: Date) -> Device {
        let entity = "lock." + id.replacingOccurrences(of: "-", with: "_")
        return Device(
            id: id, name: id, deviceClass: .security, integration: "mqtt", status: .online,
            attributes: [keys: .object([key: .string(entity)])], stateChangedAt: now,
            entities: [Entity(id: entity, kind: .lock, name: id, verbs: [.lock, .unlock], state: EntityState("locked"))])
    }
}

private final class ObedientBroker: RunningIntegration {
    let integration = "mqtt"
    let standings: AsyncStream<IntegrationHealth>
    private let desk: any DeviceDesk
    private let orders: Watched<[String]>
    private let starts: Watched<Int>

    init(desk: any DeviceDesk, orders: Watched<[String]>, starts: Watched<Int>) {
        (self.desk, self.orders, self.starts) = (desk, orders, starts)
        standings = AsyncStream { $0.finish() }
    }

    func run() async throws {
        starts.change { $0 += 1 }
        try await gracefulShutdown()
    }

    func perform(_ order: DeviceOrder) async -> Handover {
        orders.change { $0.append(order.entityID) }
        // A report that is lost is the same as a lock that says nothing; the test then sees `unknown`.
        try? await desk.report([EntityReport(entityID: order.entityID, state: EntityState(order.verb == .lock ? "locked" : "unlocked"))])
        return .handedOver
    }

    func refresh(entityID: String) async {}
    func health() async -> IntegrationHealth { IntegrationHealth(status: .connected, since: .distantPast) }
}
