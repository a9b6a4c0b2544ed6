import CardeaHub
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@Suite("Home Assistant export as a principal", .timeLimit(.minutes(10)))
struct HomeAssistantExportTests {
    private struct IdleIntegration: RunningIntegration {
        let integration = "mqtt"
        let healthUpdates = AsyncStream<IntegrationHealth> { $0.finish() }

        func run() async throws { try await Task.sleep(for: .seconds(3600)) }
        func perform(_ backendCommand: BackendCommand) async -> DispatchResult { .refused(reason: "nothing here moves") }
        func refresh(entityID: String) async {}
        func health() async -> IntegrationHealth { IntegrationHealth(status: .connected, since: .distantPast) }
    }

    /// The settings are the granted verbs.
    private struct IdleIntegrationFactory: IntegrationFactory {
        let integration = "mqtt"

        func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration { IdleIntegration() }
        func server(_ settings: Data) -> String? {
            String(decoding: settings, as: UTF8.self).split(separator: "@").dropFirst().first.map(String.init) ?? "the broker"
        }
        func redacted(_ settings: Data) -> [String: JSONValue] { [:] }
        func grant(_ settings: Data) -> IntegrationGrant? {
            let words = String(decoding: settings, as: UTF8.self)
            return words == "none" ? nil : IntegrationGrant(allowsLock: words.contains("lock"), allowsOpen: words.contains("open"))
        }
    }

    private func refusal(_ verb: Verb, of lock: HomeAssistantExport.Lock, in house: TestHouse) async throws -> CommandRefusal? {
        do {
            try await house.hub.homeAssistantExport.submit(verb, of: lock, by: "mqtt", name: UUID().uuidString)
            return nil
        } catch let refusal as CommandRefusal { return refusal }
    }

    @Test("The export executes only granted actions on the house's own locks, and none after it is disconnected")
    func grants() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.hub.integrations.register(IdleIntegrationFactory())
            func grant(_ words: String) async throws {
                _ = try await house.hub.integrations.connect("mqtt", settings: Data(words.utf8), by: owner, origin: .house)
            }
            func state() -> String? { house.hub.devices.device("front-door")?.entities.first?.state.value }
            let lock = try #require(try await house.hub.homeAssistantExport.snapshot().locks.first { $0.device.id == "front-door" })

            #expect(try await refusal(.lock, of: lock, in: house) == .gate(.noGrant))
            try await grant("none")
            #expect(try await refusal(.lock, of: lock, in: house) == .gate(.noGrant))
            try await grant("lock")
            #expect(try await refusal(.unlock, of: lock, in: house) == .gate(.actionNotAllowed))
            #expect(try await refusal(.lock, of: lock, in: house) == nil)
            try await waitUntil { try await house.hub.activity.entries(.init(), seenBy: owner).first?.result == "confirmed" }
            try await grant("open")
            #expect(try await refusal(.lock, of: lock, in: house) == .gate(.actionNotAllowed))
            // Without a latch, opening means unlocking.
            #expect(try await refusal(.open, of: lock, in: house) == nil)
            try await waitUntil { state() == "unlocked" }
            _ = try await house.hub.devices.edit("front-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            try await waitUntil { try await refusal(.unlock, of: lock, in: house) == .gate(.securityDevice) }

            let lamp = try #require(house.hub.devices.device("hall-light"))
            let entity = try #require(lamp.entities.first)
            #expect(
                try await refusal(.on, of: .init(device: lamp, entity: entity, room: nil), in: house) == .gate(.deviceNotInScope))
            let entry = try #require(try await house.hub.activity.entries(.init(), seenBy: owner).first)
            #expect(entry.whoKind == "system" && entry.whoID == "mqtt" && entry.reason == "device_not_in_scope")

            try await house.hub.integrations.disconnect("mqtt", by: owner, origin: .house)
            #expect(try await refusal(.lock, of: lock, in: house) == .gate(.noGrant))
        }
    }

    @Test("Granting `open` or changing the broker requires a step-up; granting `lock` does not")
    func stepUp() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.hub.integrations.register(IdleIntegrationFactory())
            func grant(_ words: String) async throws {
                _ = try await house.hub.integrations.connect("mqtt", settings: Data(words.utf8), by: owner, origin: .house)
            }
            try await grant("none")
            house.clock.advance(by: StepUp.validity + 1)
            try await grant("lock")
            await #expect(throws: Sessions.SessionError.self) { try await grant("lock open") }
            await #expect(throws: Sessions.SessionError.self) { try await grant("lock@another broker") }
            let entries = try await house.hub.activity.entries(.init(limit: 2), seenBy: owner)
            #expect(entries.map(\.reason) == ["step_up_required", "step_up_required"])
            _ = try await house.hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
            try await grant("lock open")
        }
    }

    @Test("A repeated command name executes once, and the integration principal has no visibility")
    func once() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.hub.integrations.register(IdleIntegrationFactory())
            _ = try await house.hub.integrations.connect("mqtt", settings: Data("lock".utf8), by: owner, origin: .house)
            let lock = try #require(try await house.hub.homeAssistantExport.snapshot().locks.first)

            try await house.hub.homeAssistantExport.submit(.lock, of: lock, by: "mqtt", name: "LOCK@1")
            try await waitUntil { try await house.hub.activity.entries(.init(), seenBy: owner).first?.result == "confirmed" }
            try await house.hub.homeAssistantExport.submit(.lock, of: lock, by: "mqtt", name: "LOCK@1")

            #expect(house.doorBackend.backendCommands.count == 1)
            #expect(try await house.hub.visibilityFilter.visibility(of: .integration("mqtt"), isLocal: true) == nil)
            await #expect(throws: People.PersonError.self) {
                try await house.hub.visibilityFilter.requireVisibility(.integration("mqtt"), isLocal: true)
            }
        }
    }

    @Test("Late commands are audited as refused, up to a limit")
    func turnedDown() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.hub.integrations.register(IdleIntegrationFactory())
            _ = try await house.hub.integrations.connect("mqtt", settings: Data("lock".utf8), by: owner, origin: .house)
            let lock = try #require(try await house.hub.homeAssistantExport.snapshot().locks.first)

            for _ in 0..<200 { try await house.hub.homeAssistantExport.recordRejection(.tooLate, at: lock, by: "mqtt") }

            let entries = try await house.auditNotes().filter { $0.reason == .tooLate }
            #expect(entries.count == 121)
            #expect(entries.allSatisfy { $0.kind == "system" && $0.id == "mqtt" && $0.result == "refused" })
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("The snapshot lists the house's own locks, passes in use and the last visitor, and updates on change")
    func view() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let own = house.hub.homeAssistantExport
            for (id, integration) in [("ha-door", "home-assistant"), ("mqtt-door", "mqtt")] {
                try await house.hub.devices.announce(
                    Device(
                        id: id, name: id, deviceClass: .security, integration: integration, stateChangedAt: house.clock.now,
                        entities: [Entity(id: "lock.\(id)", kind: .lock, name: id, verbs: [.lock])]))
            }
            try await house.hub.devices.announce(rooms: [Room(id: "hall", name: "Hall")])
            _ = try await house.hub.devices.edit("front-door", .init(room: .room("hall")), by: owner, origin: .house)
            let before = try await own.snapshot()
            #expect(before.locks.map(\.device.id) == ["front-door", "back-door"] && before.locks.first?.room == "Hall")
            #expect(before.houseName == "Lime House" && before.passesInUse == 0 && before.lastVisitor == nil)
            var rings = own.changes().makeAsyncIterator()

            let (guest, _, _) = try await house.guest(house.draft(uses: 1), by: owner)
            _ = await rings.next()
            #expect(try await own.snapshot().passesInUse == 1)
            _ = try await house.run(house.open(as: guest))
            _ = await rings.next()
            let after = try await own.snapshot()
            #expect(after.passesInUse == 0 && after.lastVisitor == "Plumber" && after.houseID == own.id)
            #expect(after.locks.first?.entity.state.value == "unlocked")
        }
    }
}
