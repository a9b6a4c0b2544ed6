import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Logging
import ServiceLifecycle

@testable import CardeaHomeAssistant

/// The integration under test, run like in the hub.
struct IntegrationFixture: Sendable {
    /// Timing with which a slow Home Assistant is not taken for a silent one.
    static let patientTiming = HomeAssistantIntegration.Timing(trust: .seconds(120), ping: .seconds(120), patience: .seconds(120))
    /// A constant time, so that no command becomes too old.
    private static let now = Date()

    let sink: RecordingDeviceSink
    let events = RecordingEventSink()
    let presence = RecordingPresenceSink()
    let integration: HomeAssistantIntegration

    /// - Parameter other: a sink other than the recording one.
    init(
        _ url: String, at other: (any DeviceSink)? = nil, taken: Set<String> = [], known: [Device] = [],
        pace: HomeAssistantIntegration.Timing = IntegrationFixture.patientTiming
    ) throws {
        sink = RecordingDeviceSink(taken: taken)
        integration = HomeAssistantIntegration(
            settings: HomeAssistantSettings(address: try HomeAssistantAddress(url), token: Secret("a-long-token")), sink: other ?? sink,
            events: events, presence: presence, logger: Logger(label: "home-assistant") { _ in SwiftLogNoOpLogHandler() }, known: known,
            backoff: Backoff(base: .milliseconds(20), cap: .milliseconds(100)), pace: pace, now: { Self.now })
    }

    /// Runs the house while `body` runs, and shuts it down gracefully.
    func run(_ body: @Sendable (IntegrationFixture) async throws -> Void) async throws {
        let group = ServiceGroup(services: [integration], logger: Logger(label: "house") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await body(self))
            } catch {
                outcome = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try outcome.get()
        }
    }

    @discardableResult
    func health(_ what: String, _ isSo: (IntegrationHealth) -> Bool) async throws -> IntegrationHealth {
        try await integration.health(until: what, isSo)
    }

    func backendCommand(_ verb: Verb, _ entityID: String, value: JSONValue? = nil, within seconds: TimeInterval = 120) -> BackendCommand {
        BackendCommand(
            commandID: "command-1", deviceID: "front-door", entityID: entityID, verb: verb, value: value, transition: nil,
            acceptedAt: Self.now, notAfter: Self.now.addingTimeInterval(seconds))
    }
}
