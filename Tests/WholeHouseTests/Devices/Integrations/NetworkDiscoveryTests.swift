import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Network discovery", .timeLimit(.minutes(5)))
struct NetworkDiscoveryTests {
    private struct StubIntegrationFactory: IntegrationFactory {
        let integration = "home-assistant"

        func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration { IdleIntegration() }
        func server(_ settings: Data) -> String? { String(decoding: settings, as: UTF8.self) }
        func redacted(_ settings: Data) -> [String: JSONValue] { ["url": .string(String(decoding: settings, as: UTF8.self))] }
    }

    private struct IdleIntegration: RunningIntegration {
        let integration = "home-assistant"
        var healthUpdates: AsyncStream<IntegrationHealth> { AsyncStream { $0.finish() } }

        func perform(_ backendCommand: BackendCommand) async -> DispatchResult { .refused(reason: "no devices") }
        func refresh(entityID: String) async {}
        func health() async -> IntegrationHealth { IntegrationHealth(status: .connecting, since: .distantPast) }
        func run() async throws { try await Task.sleep(for: .seconds(3600)) }
    }

    @Test("Network discovery is off by default")
    func off() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()

            let nearby = try await house.hub.integrations.nearby(seenBy: owner)

            #expect(nearby.snapshot.status == .off)
            #expect(nearby.suggestions.isEmpty)
        }
    }

    @Test("A found Home Assistant can be connected and is then marked; unsupported systems are routed through it")
    func advice() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let integrations = house.hub.integrations
            integrations.register(StubIntegrationFactory())
            integrations.setNetworkBrowser(with: ScriptedNetworkBrowser.everything)
            func advice() async throws -> [NearbyServiceAdvice] { try await integrations.nearby(seenBy: owner).suggestions.map(\.advice) }

            #expect(try await advice() == [.connect, .throughHomeAssistant, .throughHomeAssistant])

            // By name, by address, and by another one's address.
            for (url, first) in [
                ("http://homeassistant.local:8123", NearbyServiceAdvice.connected), ("https://HomeAssistant.local:8123", .connected),
                ("http://192.168.1.20:8123", .connected), ("http://192.168.1.20:8124", .connect), ("http://192.168.1.21:8123", .connect),
            ] {
                _ = try await integrations.connect("home-assistant", settings: Data(url.utf8), by: owner, origin: .house)
                #expect(try await advice() == [first, .throughHomeAssistant, .throughHomeAssistant], "\(url)")
            }
        }
    }
}
