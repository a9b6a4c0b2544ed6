import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("What the house could be connected to", .timeLimit(.minutes(5)))
struct NearbyTests {
    private struct Maker: IntegrationMaker {
        let integration = "home-assistant"

        func make(settings: Data, desk: any DeviceDesk) throws -> any RunningIntegration { Quiet() }
        func server(_ settings: Data) -> String? { String(decoding: settings, as: UTF8.self) }
        func shown(_ settings: Data) -> [String: JSONValue] { ["url": .string(String(decoding: settings, as: UTF8.self))] }
    }

    private struct Quiet: RunningIntegration {
        let integration = "home-assistant"
        var standings: AsyncStream<IntegrationHealth> { AsyncStream { $0.finish() } }

        func perform(_ order: DeviceOrder) async -> Handover { .refused(reason: "no devices") }
        func refresh(entityID: String) async {}
        func health() async -> IntegrationHealth { IntegrationHealth(status: .connecting, since: .distantPast) }
        func run() async throws { try await Task.sleep(for: .seconds(3600)) }
    }

    @Test("Nobody looks unless somebody was told to")
    func off() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()

            let nearby = try await house.hub.integrations.nearby(seenBy: owner)

            #expect(nearby.view.sight == .off)
            #expect(nearby.suggestions.isEmpty)
        }
    }

    @Test("A Home Assistant can be connected, is marked once it is, and what the house does not speak to is said to come through it")
    func advice() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let integrations = house.hub.integrations
            integrations.know(Maker())
            integrations.look(with: ScriptedNeighbours.everything)
            func advice() async throws -> [NearbyAdvice] { try await integrations.nearby(seenBy: owner).suggestions.map(\.advice) }

            #expect(try await advice() == [.connect, .throughHomeAssistant, .throughHomeAssistant])

            // By name, by address, and by the address of another.
            for (url, first) in [
                ("http://homeassistant.local:8123", NearbyAdvice.connected), ("https://HomeAssistant.local:8123", .connected),
                ("http://192.168.1.20:8123", .connected), ("http://192.168.1.20:8124", .connect), ("http://192.168.1.21:8123", .connect),
            ] {
                _ = try await integrations.connect("home-assistant", settings: Data(url.utf8), by: owner, origin: .house)
                #expect(try await advice() == [first, .throughHomeAssistant, .throughHomeAssistant], "\(url)")
            }
        }
    }
}
