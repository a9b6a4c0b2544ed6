import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Home Assistant export over a real broker", .serialized, .timeLimit(.minutes(10)))
struct HomeAssistantExportTests {
    /// The integration as an owner sets it up: the port, and the announcements and permissions.
    private struct TestIntegrationFactory: IntegrationFactory {
        struct Settings: Codable {
            var port: Int
            var announces = true
            var lastVisitor = false
            var lock = true
            var open = false
        }

        let integration = "mqtt"
        let hub: Hub
        let clock: ManualClock

        private func read(_ data: Data) throws -> Settings { try JSONDecoder().decode(Settings.self, from: data) }

        func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration {
            let settings = try read(settings)
            return MQTTIntegration(
                settings: MQTTSettings(
                    host: "127.0.0.1", port: settings.port, announces: settings.announces, announcesLastVisitor: settings.lastVisitor),
                sink: sink, logger: .silent, house: hub.homeAssistantExport,
                backoff: Backoff(base: .milliseconds(20), cap: .milliseconds(100)),
                now: { [clock] in clock.now })
        }

        func server(_ settings: Data) -> String? { String(decoding: settings, as: UTF8.self) }
        func redacted(_ settings: Data) -> [String: JSONValue] { [:] }

        func grant(_ settings: Data) -> IntegrationGrant? {
            guard let settings = try? read(settings), settings.announces else { return nil }
            return IntegrationGrant(allowsLock: settings.lock, allowsOpen: settings.open)
        }
    }

    /// A house at a broker, with its owner, and a subscriber like Home Assistant. All its messages must match the contract.
    ///
    /// - Parameter strange: undocumented messages, sent here to see how the house reacts.
    private func withRunningHouse(
        saying strange: Set<String> = [], _ settings: @escaping @Sendable (inout TestIntegrationFactory.Settings) -> Void = { _ in },
        _ body: @escaping @Sendable (TestHouse, Principal, MosquittoBroker, MessageListener) async throws -> Void
    ) async throws {
        let broker = try await MosquittoBroker()
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.hub.integrations.register(TestIntegrationFactory(hub: house.hub, clock: house.clock))
            var wanted = TestIntegrationFactory.Settings(port: broker.port)
            settings(&wanted)
            try await set(wanted, house, owner)
            let listener = try await broker.listener(to: ["homeassistant/#", "cardea/#"])
            try await body(house, owner, broker, listener)
            for message in listener.messages where !strange.contains(message.payload) {
                #expect(AsyncAPIValidator.problems(ofMessage: message.payload, at: message.topic) == [])
            }
        }
    }

    private func set(_ settings: TestIntegrationFactory.Settings, _ house: TestHouse, _ owner: Principal) async throws {
        _ = try await house.hub.integrations.connect(
            "mqtt", settings: try JSONEncoder().encode(settings), by: owner, origin: .house)
    }

    private func topic(_ house: TestHouse, _ end: String) -> String { "cardea/\(house.hub.homeAssistantExport.id.prefix(12))/\(end)" }

    /// Commands are identified by their times, so each has its own.
    private func ask(_ word: String, _ house: TestHouse, ago seconds: TimeInterval = 0) -> String {
        house.clock.advance(by: 0.001)
        return #"{"do":"\#(word)","at":\#(house.clock.now.timeIntervalSince1970 - seconds)}"#
    }

    private func state(_ entity: String, in house: TestHouse) -> String? {
        house.hub.devices.all.devices.flatMap(\.entities).first { $0.id == entity }?.state.value
    }

    private func lastMessage(_ topic: String, _ messages: [MessageListener.Message]) -> String? {
        messages.last { $0.topic == topic }?.payload
    }

    @Test("Home Assistant sees a lock, follows its state and can lock it, but unlocks only if the owner allows it")
    func lock() async throws {
        try await withRunningHouse { house, owner, broker, listener in
            let (set, said) = (topic(house, "lock_front_door/set"), topic(house, "lock_front_door/state"))
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            try await listener.until("it is unlocked") { lastMessage(said, $0) == "UNLOCKED" }
            #expect(listener.messages.contains { $0.topic.hasSuffix("lock_front_door/config") })

            try await broker.publish(set, ask("LOCK", house))
            try await listener.until("it is locked") { lastMessage(said, $0) == "LOCKED" }
            try await broker.publish(set, ask("UNLOCK", house))
            // Announced again, since Home Assistant may already show the requested state.
            try await listener.until("it says again that it is locked") { messages in
                messages.filter { $0.topic == said }.suffix(3).map(\.payload) == ["UNLOCKED", "LOCKED", "LOCKED"]
            }
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.lock])
            let entries = try await house.hub.activity.entries(.init(), seenBy: owner)
            #expect(entries[0].whoKind == "system" && entries[0].whoID == "mqtt" && entries[0].action == "unlock")
            #expect(entries[0].result == "refused" && entries[0].reason == "action_not_allowed")
            #expect(entries[1].whoKind == "system" && entries[1].result == "confirmed" && entries[1].action == "lock")
            let health = try #require(try await house.hub.integrations.all(seenBy: owner).last?.health)
            #expect(health.notices.contains { $0.message.contains("may not unlock Front door (action_not_allowed)") })

            try await self.set(.init(port: broker.port, open: true), house, owner)
            try await waitUntil {
                try await broker.publish(set, ask("UNLOCK", house))
                return state("lock.front_door", in: house) == "unlocked"
            }
            #expect(house.doorBackend.backendCommands.last?.verb == .unlock)
        }
    }

    @Test("Home Assistant cannot unlock a door that a member may not open, even if it may unlock doors")
    func security() async throws {
        try await withRunningHouse({ $0.open = true }) { house, owner, broker, listener in
            _ = try await house.hub.devices.edit("front-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            try await listener.until("the house is announced") { $0.contains { $0.topic.hasSuffix("lock_front_door/config") } }

            try await broker.publish(topic(house, "lock_front_door/set"), ask("UNLOCK", house))

            try await waitUntil { try await house.hub.activity.entries(.init(), seenBy: owner).first?.reason == "security_device" }
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("Retained and late commands open no door, and a repeated command opens it once")
    func old() async throws {
        try await withRunningHouse(saying: ["UNLOCK"], { $0.open = true }) { house, owner, broker, listener in
            let set = topic(house, "lock_front_door/set")
            try await listener.until("the house is announced") { $0.contains { $0.topic.hasSuffix("lock_front_door/state") } }
            try await broker.publish(set, ask("UNLOCK", house, ago: 60))
            try await broker.publish(set, "UNLOCK")
            let once = ask("UNLOCK", house)
            for _ in 0..<3 { try await broker.publish(set, once) }
            try await waitUntil { state("lock.front_door", in: house) == "unlocked" }
            #expect(house.doorBackend.backendCommands.count == 1)

            // Retained by the broker, it reaches the hub when it reconnects.
            try await broker.publish(set, ask("LOCK", house), retained: true)
            try await waitUntil { state("lock.front_door", in: house) == "locked" }
            let count = house.doorBackend.backendCommands.count
            try await self.set(.init(port: broker.port, lastVisitor: true, open: true), house, owner)
            try await waitUntil {
                try await house.hub.integrations.all(seenBy: owner).last?.health.notices.contains {
                    $0.message.contains("was retained by the broker")
                } == true
            }
            #expect(house.doorBackend.backendCommands.count == count)
        }
    }

    @Test("Active passes are counted; the last user is published and removed with the owner's setting")
    func passes() async throws {
        try await withRunningHouse { house, owner, broker, listener in
            let (count, name) = (topic(house, "passes/state"), topic(house, "last_visitor/state"))
            try await listener.until("none is in use") { lastMessage(count, $0) == "0" }
            let (guest, id, _) = try await house.guest(house.draft(), by: owner)
            try await listener.until("one is in use") { lastMessage(count, $0) == "1" }
            _ = try await house.run(house.open(as: guest))
            #expect(lastMessage(name, listener.messages) == nil)

            try await set(.init(port: broker.port, lastVisitor: true), house, owner)
            try await listener.until("the visitor is named") { lastMessage(name, $0) == "Plumber" }
            try await set(.init(port: broker.port), house, owner)
            try await listener.until("the visitor is forgotten") { lastMessage(name, $0) == "" }
            _ = try await house.hub.guests.decide(.revoke, id, by: owner, origin: .house)
            try await listener.until("none is in use again") { lastMessage(count, $0) == "0" }
        }
    }

    @Test("After a switch-off, a removal or an earlier run no export remains on the broker", arguments: [true, false])
    func gone(takenOut: Bool) async throws {
        let sold = #"{"unique_id":"x","command_topic":"a/b"}"#
        try await withRunningHouse(saying: [sold]) { house, owner, broker, listener in
            let stale = "homeassistant/lock/cardea_\(house.hub.homeAssistantExport.id.prefix(12))/lock_sold/config"
            try await broker.publish(stale, sold, retained: true)
            try await set(.init(port: broker.port, lastVisitor: true), house, owner)
            try await listener.until("what was left is taken back, and the rest is there") { messages in
                lastMessage(stale, messages) == "" && lastMessage(topic(house, "last_visitor/state"), messages) == "None"
            }

            if takenOut {
                try await house.hub.integrations.disconnect("mqtt", by: owner, origin: .house)
            } else {
                try await set(.init(port: broker.port, announces: false), house, owner)
            }

            try await waitUntil {
                let kept = try await broker.listener(to: ["homeassistant/#", "cardea/#"]).messages
                return kept.filter { $0.topic != "cardea/status" }.isEmpty
            }
            // Commands are no longer obeyed either.
            try await broker.publish(topic(house, "lock_front_door/set"), ask("LOCK", house))
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("Exports are not imported, imports not exported; after its restart Home Assistant gets all states")
    func loops() async throws {
        try await withRunningHouse { house, _, broker, listener in
            let mirrored = Device(
                id: "mirrored", name: "Mirrored", deviceClass: .security, integration: "home-assistant", stateChangedAt: house.clock.now,
                entities: [Entity(id: "lock.mirrored", kind: .lock, name: "Mirrored", verbs: [.lock, .unlock])])
            try await house.hub.devices.announce(mirrored)
            try await broker.publish(
                "homeassistant/lock/shed/config",
                #"{"name": null, "uniq_id": "lock-9", "~": "home/shed", "cmd_t": "~/set", "stat_t": "~/state", "dev": {"ids": ["lock-9"], "name": "Shed"}}"#,
                retained: true)
            try await waitUntil { house.hub.devices.device("shed") != nil }

            func configs(_ messages: [MessageListener.Message]) -> [String] {
                messages.filter { $0.topic.contains("cardea_") && $0.topic.hasPrefix("homeassistant/lock/") }.map(\.topic)
            }
            let before = try await listener.until("both locks are announced") { Set(configs($0)).count == 2 }
            try await broker.publish("homeassistant/status", "online")
            let after = try await listener.until("they are announced again") { configs($0).count >= configs(before).count + 2 }

            #expect(Set(configs(after)).map { $0.split(separator: "/")[3] }.sorted() == ["lock_back_door", "lock_front_door"])
            #expect(house.hub.devices.all.devices.filter { $0.integration == "mqtt" }.flatMap(\.entities).count == 1)
        }
    }
}
