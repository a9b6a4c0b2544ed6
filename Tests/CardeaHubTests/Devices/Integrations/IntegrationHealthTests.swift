import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Integration health", .timeLimit(.minutes(10)))
struct IntegrationHealthTests {
    /// A connection with scripted health, for as long as it is needed.
    private final class StubIntegration: RunningIntegration {
        let integration: String
        let leaves: AwaitableValue<Bool>
        let healthUpdates: AsyncStream<IntegrationHealth>
        let tell: AsyncStream<IntegrationHealth>.Continuation
        let stands = AwaitableValue(IntegrationHealth(status: .connecting, since: .distantPast))

        init(_ integration: String, leaves: AwaitableValue<Bool>) {
            self.integration = integration
            self.leaves = leaves
            (healthUpdates, tell) = AsyncStream.makeStream()
        }

        func run() async throws { try await Task.sleep(for: .seconds(3600)) }
        func perform(_ backendCommand: BackendCommand) async -> DispatchResult { .refused(reason: "nothing here moves") }
        func refresh(entityID: String) async {}
        func health() async -> IntegrationHealth { stands.now }
        func cleanUp(for next: (any RunningIntegration)?) async { _ = try? await leaves.waitUntil("it may leave") { $0 } }
    }

    private struct StubIntegrationFactory: IntegrationFactory {
        var integration = "mqtt"
        let made = AwaitableValue<[StubIntegration]>([])
        /// True if a replaced integration may finish its clean-up.
        let leaves = AwaitableValue(true)

        func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration {
            let broker = StubIntegration(integration, leaves: leaves)
            made.change { $0.append(broker) }
            return broker
        }

        func server(_ settings: Data) -> String? { String(decoding: settings, as: UTF8.self) }
        func redacted(_ settings: Data) -> [String: JSONValue] { [:] }
    }

    @Test("Each health change of an integration is reported once and in order, and not from a replaced connection")
    func told() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let maker = StubIntegrationFactory()
            house.hub.integrations.register(maker)
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
            // The first of each pair only checks whether the settings can work.
            try await maker.made.waitUntil("it runs") { $0.count == 2 }
            say(.connecting, by: 1)
            say(.connected, by: 1)
            say(.connected, by: 1)
            say(.failed, "nobody answers", by: 1)
            say(.failed, "not authorised", by: 1)
            let first = ["mqtt connecting", "mqtt connected", "mqtt failed nobody answers", "mqtt failed not authorised"]
            try await waitUntil { try await standings() == first }

            _ = try await house.hub.integrations.connect("mqtt", settings: Data("2".utf8), by: owner, origin: .house)
            try await maker.made.waitUntil("another runs") { $0.count == 4 }
            say(.connected, by: 3)
            try await waitUntil { try await standings() == first + ["mqtt connected"] }
            say(.off, by: 1)
            try await house.hub.integrations.disconnect("mqtt", by: owner, origin: .house)

            try await waitUntil { try await standings() == first + ["mqtt connected", "mqtt off"] }
        }
    }

    @Test("Testing a failed connection reconnects at once; testing a working one changes nothing")
    func tried() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            let (integrations, maker) = (house.hub.integrations, StubIntegrationFactory())
            integrations.register(maker)
            #expect(try await integrations.test("mqtt", by: owner, origin: .house).health.status == .off)
            _ = try await integrations.connect("mqtt", settings: Data("1".utf8), by: owner, origin: .house)
            try await waitUntil { integrations.running.contains("mqtt") }

            for status in [IntegrationHealth.Status.connecting, .connected] {
                maker.made.now[1].stands.change { $0.status = status }
                #expect(try await integrations.test("mqtt", by: owner, origin: .house).health.status == status)
            }
            await #expect(throws: People.PersonError.self) { _ = try await integrations.test("mqtt", by: member, origin: .house) }
            await #expect(throws: Integrations.IntegrationError.self) {
                _ = try await integrations.test("nothing", by: owner, origin: .house)
            }
            maker.made.now[1].stands.change { $0.status = .failed }
            #expect(maker.made.now.count == 2)

            #expect(try await integrations.test("mqtt", by: owner, origin: .house).health.status == .connecting)
            try await maker.made.waitUntil("it is tried anew") { $0.count == 3 }
        }
    }

    // A second test before the first had begun once started another one, which cut the new connection.
    @Test("Repeated tests during a reconnect start one attempt")
    func triedOnce() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (integrations, maker, other) = (
                house.hub.integrations, StubIntegrationFactory(), StubIntegrationFactory(integration: "home-assistant")
            )
            integrations.register(maker)
            integrations.register(other)
            _ = try await integrations.connect("mqtt", settings: Data("1".utf8), by: owner, origin: .house)
            try await waitUntil { integrations.running.contains("mqtt") }
            maker.made.now[1].stands.change { $0.status = .failed }
            maker.leaves.change { $0 = false }

            // The next one is created, and waits for this one to end, which still reports its failure.
            try await waitUntil {
                let health = try await integrations.test("mqtt", by: owner, origin: .house).health
                #expect(health.status == .connecting)
                return maker.made.now.count > 2
            }
            for _ in 0..<3 {
                #expect(try await integrations.test("mqtt", by: owner, origin: .house).health.status == .connecting)
            }
            maker.leaves.change { $0 = true }

            // Changes are applied in the order of their requests.
            _ = try await integrations.connect("home-assistant", settings: Data("1".utf8), by: owner, origin: .house)
            try await waitUntil { integrations.running.contains("home-assistant") }
            #expect(maker.made.now.count == 3)

            maker.made.now[2].stands.change { $0.status = .failed }
            try await waitUntil {
                _ = try await integrations.test("mqtt", by: owner, origin: .house)
                return maker.made.now.count == 4
            }
        }
    }

    // With a disk read error at the start the hub once ended; if the disk recovered a moment later, the doors stayed away.
    @Test("An integration whose settings cannot be read at start is connected once they can be")
    func unreadable() async throws {
        let (store, key, maker) = (try Store.inMemory(), SealingKey.random(), StubIntegrationFactory())
        try await TestHouse.open(store: store, sealing: key) { house in
            let (owner, _) = try await house.claim()
            house.hub.integrations.register(maker)
            _ = try await house.hub.integrations.connect("mqtt", settings: Data("1".utf8), by: owner, origin: .house)
            try await waitUntil { house.hub.integrations.running.contains("mqtt") }
        }

        let house = try await TestHouse.make(store: store, sealing: key)
        house.hub.integrations.register(maker)
        try await store.write { try $0.execute(sql: "ALTER TABLE sealed_settings RENAME TO elsewhere") }
        try await house.withRunningServices { house in
            let again = house.clock.now.addingTimeInterval(HubEnvironment.retryInterval)
            try await waitUntil { house.clock.isAwaited(again) }
            #expect(!house.hub.integrations.running.contains("mqtt"))
            try await store.write { try $0.execute(sql: "ALTER TABLE elsewhere RENAME TO sealed_settings") }
            house.clock.advance(by: HubEnvironment.retryInterval)
            try await waitUntil { house.hub.integrations.running.contains("mqtt") }
        }
    }

    @Test("The hub can stop while integration settings cannot be read")
    func left() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        house.hub.integrations.register(StubIntegrationFactory())
        try await house.store.write { try $0.execute(sql: "DROP TABLE sealed_settings") }
        try await house.withRunningServices { house in
            let again = house.clock.now.addingTimeInterval(HubEnvironment.retryInterval)
            try await waitUntil { house.clock.isAwaited(again) }
        }
    }
}
