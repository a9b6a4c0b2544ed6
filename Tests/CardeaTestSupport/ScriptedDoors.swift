import CardeaHub
import CardeaModel
import Foundation
import Synchronization

/// Doors that do what the test says, and count how often they were really moved: the judge, not our own log.
public final class ScriptedDoors: DeviceBackend, Sendable {
    public let integration = "scripted"
    private let desk: any DeviceDesk
    private let state = Mutex(State())

    public enum Behaviour: Hashable, Sendable {
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
        case mute
        /// Takes its order, and keeps whoever brings it until it behaves otherwise.
        case held
    }

    private struct State {
        var behaviour: [String: Behaviour] = [:]
        var orders: [DeviceOrder] = []
        var refreshed: [String] = []
    }

    public init(desk: any DeviceDesk) {
        self.desk = desk
    }

    /// Every order that reached a door.
    public var orders: [DeviceOrder] { state.withLock { $0.orders } }
    public var refreshed: [String] { state.withLock { $0.refreshed } }

    public func set(_ behaviour: Behaviour, at entityID: String) {
        state.withLock { $0.behaviour[entityID] = behaviour }
    }

    public func perform(_ order: DeviceOrder) async -> Handover {
        let behaviour = state.withLock { state in
            let behaviour = state.behaviour[order.entityID] ?? .obeys
            switch behaviour {
            case .unreachable, .unable, .refuses: break
            case .obeys, .silent, .jams, .mute, .held, .loses: state.orders.append(order)
            }
            return behaviour
        }
        switch behaviour {
        case .unreachable: return .refused(reason: "unreachable")
        case .unable: return .unsupported
        case .refuses(let words): return .refused(reason: words)
        case .loses(let words): return .uncertain(reason: words)
        case .silent: return .handedOver
        case .mute: return .handedOverUnheard
        case .jams: await say("jammed", order)
        case .held:
            while state.withLock({ $0.behaviour[order.entityID] == .held }), !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(1))
            }
        case .obeys: await say(order.asked == .lock ? "locked" : order.asked == .unlock ? "unlocked" : order.asked.rawValue, order)
        }
        return .handedOver
    }

    public func refresh(entityID: String) async {
        state.withLock { $0.refreshed.append(entityID) }
    }

    public func health() async -> IntegrationHealth {
        IntegrationHealth(status: .connected, since: Date(timeIntervalSince1970: 1_795_269_600))
    }

    /// Has a door say something of its own accord.
    public func say(_ value: String, at entityID: String, isFresh: Bool = true) async throws {
        try await desk.report([EntityReport(entityID: entityID, state: EntityState(value), isFresh: isFresh)])
    }

    private func say(_ value: String, _ order: DeviceOrder) async {
        // A report that is lost is the same as a door that says nothing; the test then sees `unknown`.
        try? await desk.report([EntityReport(entityID: order.entityID, state: EntityState(value))])
    }
}
