import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Logging
import ServiceLifecycle

@testable import CardeaMQTT

/// The integration under test, run like in the hub.
struct IntegrationFixture: Sendable {
    let sink = RecordingDeviceSink()
    let events = RecordingEventSink()
    let integration: MQTTIntegration

    init(_ settings: MQTTSettings, trust: Duration = .seconds(120)) {
        integration = MQTTIntegration(
            settings: settings, sink: sink, logger: Logger(label: "mqtt") { _ in SwiftLogNoOpLogHandler() }, events: events,
            backoff: Backoff(base: .milliseconds(20), cap: .milliseconds(100)), trust: trust)
    }

    init(_ broker: MosquittoBroker, trust: Duration = .seconds(120)) {
        self.init(MQTTSettings(host: "127.0.0.1", port: broker.port), trust: trust)
    }

    /// Runs the house while `body` runs, and shuts it down gracefully.
    func run(_ body: @Sendable (IntegrationFixture) async throws -> Void) async throws {
        let logger = Logger(label: "house") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(services: [integration], logger: logger)
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
            commandID: "command-1", deviceID: "back-door", entityID: entityID, verb: verb, value: value, transition: nil,
            acceptedAt: Date(), notAfter: Date().addingTimeInterval(seconds))
    }
}

/// A lock announced by another client.
enum AnnouncedLock {
    static let topic = "homeassistant/lock/back_door/config"
    static let config = """
        {"name": null, "uniq_id": "lock-7", "~": "home/back_door", "cmd_t": "~/set", "stat_t": "~/state",
        "avty_t": "~/available", "dev": {"ids": ["lock-7"], "name": "Back Door", "mf": "Acme", "mdl": "L1"}}
        """
}
