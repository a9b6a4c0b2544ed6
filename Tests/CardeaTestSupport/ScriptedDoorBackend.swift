import CardeaHub
import CardeaModel
import Foundation
import Synchronization

/// Doors with scripted behaviour that count their real movements: the judge, instead of our own log.
public final class ScriptedDoorBackend: DeviceBackend, Sendable {
    public let integration = "scripted"
    private let sink: any DeviceSink
    private let state = Mutex(State())

    public enum Behavior: Hashable, Sendable {
        /// Moves and reports it.
        case obeys
        /// Moves without a report.
        case silent
        case jams
        /// Accepts no command.
        case unreachable
        /// Does not support the command.
        case unable
        /// Refuses with its own text.
        case refuses(String)
        /// May have moved, with an unknown outcome and its own text for the reason.
        case loses(String)
        /// Moves, and is known never to report.
        case neverReports
        /// Accepts the command, and blocks its sender until its behaviour changes.
        case blocks
    }

    private struct State {
        var behavior: [String: Behavior] = [:]
        var backendCommands: [BackendCommand] = []
        var refreshed: [String] = []
    }

    public init(sink: any DeviceSink) {
        self.sink = sink
    }

    /// Every command that reached a door.
    public var backendCommands: [BackendCommand] { state.withLock { $0.backendCommands } }
    public var refreshed: [String] { state.withLock { $0.refreshed } }

    public func set(_ behaviour: Behavior, at entityID: String) {
        state.withLock { $0.behavior[entityID] = behaviour }
    }

    public func perform(_ backendCommand: BackendCommand) async -> DispatchResult {
        let behaviour = state.withLock { state in
            let behaviour = state.behavior[backendCommand.entityID] ?? .obeys
            switch behaviour {
            case .unreachable, .unable, .refuses: break
            case .obeys, .silent, .jams, .neverReports, .blocks, .loses: state.backendCommands.append(backendCommand)
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
        case .jams: await report("jammed", backendCommand)
        case .blocks:
            while state.withLock({ $0.behavior[backendCommand.entityID] == .blocks }), !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(1))
            }
        case .obeys:
            await report(
                backendCommand.requestedVerb == .lock
                    ? "locked" : backendCommand.requestedVerb == .unlock ? "unlocked" : backendCommand.requestedVerb.rawValue,
                backendCommand)
        }
        return .dispatched
    }

    public func refresh(entityID: String) async {
        state.withLock { $0.refreshed.append(entityID) }
    }

    public func health() async -> IntegrationHealth {
        IntegrationHealth(status: .connected, since: Date(timeIntervalSince1970: 1_795_269_600))
    }

    /// Sends a report without a command.
    public func report(_ value: String, at entityID: String, isFresh: Bool = true) async throws {
        try await sink.report([EntityReport(entityID: entityID, state: EntityState(value), isFresh: isFresh)])
    }

    private func report(_ value: String, _ backendCommand: BackendCommand) async {
        // A lost report is the same as a silent door; the test then sees `unknown`.
        try? await sink.report([EntityReport(entityID: backendCommand.entityID, state: EntityState(value))])
    }
}
