import CardeaHub
import CardeaModel
import Foundation
import Synchronization

/// Doors that do what the test says, and count how often they were really moved: the judge, not our own log.
public final class ScriptedDoorBackend: DeviceBackend, Sendable {
    public let integration = "scripted"
    private let sink: any DeviceSink
    private let state = Mutex(State())

    public enum Behavior: Hashable, Sendable {
        /// Moves and says so.
        case obeys
        /// Moves, and never says a word.
        case silent
        case jams
        /// Cannot be handed anything.
        case unreachable
        /// Does not do what it is asked.
        case unable
        /// Says no, in words of its own.
        case refuses(String)
        /// May have moved, and nobody will know: why is said in words of its own.
        case loses(String)
        /// Moves, and is known never to say a word.
        case neverReports
        /// Takes its order, and keeps whoever brings it until it behaves otherwise.
        case blocks
    }

    private struct State {
        var behavior: [String: Behavior] = [:]
        var orders: [DeviceOrder] = []
        var refreshed: [String] = []
    }

    public init(desk: any DeviceSink) {
        self.sink = desk
    }

    /// Every order that reached a door.
    public var orders: [DeviceOrder] { state.withLock { $0.orders } }
    public var refreshed: [String] { state.withLock { $0.refreshed } }

    public func set(_ behaviour: Behavior, at entityID: String) {
        state.withLock { $0.behavior[entityID] = behaviour }
    }

    public func perform(_ order: DeviceOrder) async -> DispatchResult {
        let behaviour = state.withLock { state in
            let behaviour = state.behavior[order.entityID] ?? .obeys
            switch behaviour {
            case .unreachable, .unable, .refuses: break
            case .obeys, .silent, .jams, .neverReports, .blocks, .loses: state.orders.append(order)
            }
            return behaviour
        }
        switch behaviour {
        case .unreachable: return .refused(reason: "unreachable")
        case .unable: return .unsupported
        case .refuses(let words): return .refused(reason: words)
        case .loses(let words): return .uncertain(reason: words)
        case .silent: return .dispatched
        case .neverReports: return .dispatchedWithoutReport
        case .jams: await report("jammed", order)
        case .blocks:
            while state.withLock({ $0.behavior[order.entityID] == .blocks }), !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(1))
            }
        case .obeys:
            await report(
                order.requestedVerb == .lock ? "locked" : order.requestedVerb == .unlock ? "unlocked" : order.requestedVerb.rawValue, order)
        }
        return .dispatched
    }

    public func refresh(entityID: String) async {
        state.withLock { $0.refreshed.append(entityID) }
    }

    public func health() async -> IntegrationHealth {
        IntegrationHealth(status: .connected, since: Date(timeIntervalSince1970: 1_795_269_600))
    }

    /// Has a door say something of its own accord.
    public func report(_ value: String, at entityID: String, isFresh: Bool = true) async throws {
        try await sink.report([EntityReport(entityID: entityID, state: EntityState(value), isFresh: isFresh)])
    }

    private func report(_ value: String, _ order: DeviceOrder) async {
        // A report that is lost is the same as a door that says nothing; the test then sees `unknown`.
        try? await sink.report([EntityReport(entityID: order.entityID, state: EntityState(value))])
    }
}
