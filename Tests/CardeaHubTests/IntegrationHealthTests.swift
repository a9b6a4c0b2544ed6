import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("How the outside world stands is told in the house", .timeLimit(.minutes(10)))
struct IntegrationHealthTests {
    /// A connection that stands as the test says, for as long as it is wanted.
    private final class Broker: RunningIntegration {
        let integration = "mqtt"
        let standings: AsyncStream<IntegrationHealth>
        let tell: AsyncStream<IntegrationHealth>.Continuation

        init() { (standings, tell) = AsyncStream.makeStream() }

        func run() async throws { try await Task.sleep(for: .seconds(3600)) }
        func perform(_ order: DeviceOrder) async -> Handover { .refused(reason: "nothing here moves") }
        func refresh(entityID: String) async {}
        func health() async -> IntegrationHealth { IntegrationHealth(status: .connecting, since: .distantPast) }
    }

    private struct Maker: IntegrationMaker {
        let integration = "mqtt"
        let made = Watched<[Broker]>([])

        func make(settings: Data, desk: any DeviceDesk) throws -> any RunningIntegration {
            let broker = Broker()
            made.change { $0.append(broker) }
            return broker
        }

        func shown(_ settings: Data) -> [String: JSONValue] { [:] }
    }

    @Test("Connecting, connected, failed with words and taken out are told once each, in order, and not by one that was replaced")
    func told() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let maker = Maker()
            house.hub.integrations.know(maker)
            let start = try await house.hub.journal.last()
            func standings() async throws -> [String] {
                try await house.hub.journal.events(after: start, limit: 500).events.compactMap { event in
                    guard case .integration(let name, let data) = event.fact else { return nil }
                    return [name, data["status"]?.string, data["reason"]?.string].compactMap { $0 }.joined(separator: " ")
                }
            }
            func say(_ status: IntegrationHealth.Status, _ reason: String? = nil, by number: Int) {
                maker.made.now[number].tell.yield(IntegrationHealth(status: status, since: house.clock.now, reason: reason))
            }

            _ = try await house.hub.integrations.connect("mqtt", settings: Data("1".utf8), by: owner, origin: .house)
            // The first of each pair is only made to see whether the settings can work.
            try await maker.made.until("it runs") { $0.count == 2 }
            say(.connecting, by: 1)
            say(.connected, by: 1)
            say(.connected, by: 1)
            say(.failed, "nobody answers", by: 1)
            say(.failed, "not authorised", by: 1)
            let first = ["mqtt connecting", "mqtt connected", "mqtt failed nobody answers", "mqtt failed not authorised"]
            try await until { try await standings() == first }

            _ = try await house.hub.integrations.connect("mqtt", settings: Data("2".utf8), by: owner, origin: .house)
            try await maker.made.until("another runs") { $0.count == 4 }
            say(.connected, by: 3)
            try await until { try await standings() == first + ["mqtt connected"] }
            say(.off, by: 1)
            try await house.hub.integrations.disconnect("mqtt", by: owner, origin: .house)

            try await until { try await standings() == first + ["mqtt connected", "mqtt off"] }
        }
    }
}
