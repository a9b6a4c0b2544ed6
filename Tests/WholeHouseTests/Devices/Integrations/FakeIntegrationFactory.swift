import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import ServiceLifecycle

/// An integration that can be set up, whose locks obey, and that knows its entities by keys.
struct FakeIntegrationFactory: IntegrationFactory {
    /// The device attribute that holds the ids of its entities by their keys.
    static let keys = "keys"

    let integration = "mqtt"
    /// The entities that were moved, in order.
    let backendCommands = AwaitableValue<[String]>([])
    /// The number of its starts.
    let starts = AwaitableValue(0)

    func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration {
        FakeIntegration(sink: sink, backendCommands: backendCommands, starts: starts)
    }

    func server(_ settings: Data) -> String? { String(decoding: settings, as: UTF8.self) }
    func redacted(_ settings: Data) -> [String: JSONValue] { [:] }

    func merge(_ other: MergeCandidate, into staying: MergeCandidate) throws -> MergeResult {
        let (ids, same) = try MergeResult.union(of: Self.keys, in: staying, other)
        return MergeResult(attributes: [Self.keys: .object(ids)], sameEntities: same)
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

private final class FakeIntegration: RunningIntegration {
    let integration = "mqtt"
    let healthUpdates: AsyncStream<IntegrationHealth>
    private let sink: any DeviceSink
    private let backendCommands: AwaitableValue<[String]>
    private let starts: AwaitableValue<Int>

    init(sink: any DeviceSink, backendCommands: AwaitableValue<[String]>, starts: AwaitableValue<Int>) {
        (self.sink, self.backendCommands, self.starts) = (sink, backendCommands, starts)
        healthUpdates = AsyncStream { $0.finish() }
    }

    func run() async throws {
        starts.change { $0 += 1 }
        try await gracefulShutdown()
    }

    func perform(_ backendCommand: BackendCommand) async -> DispatchResult {
        backendCommands.change { $0.append(backendCommand.entityID) }
        // A lost report is the same as a silent lock; the test then sees `unknown`.
        try? await sink.report([
            EntityReport(entityID: backendCommand.entityID, state: EntityState(backendCommand.verb == .lock ? "locked" : "unlocked"))
        ])
        return .dispatched
    }

    func refresh(entityID: String) async {}
    func health() async -> IntegrationHealth { IntegrationHealth(status: .connected, since: .distantPast) }
}
