import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaHomeAssistant

@Suite("Presence from Home Assistant", .timeLimit(.minutes(5)))
struct PresenceTrackerTests {
    private static let now = Date(timeIntervalSince1970: 1_795_269_600)
    private static let earlier = now.addingTimeInterval(-3600)

    private func state(
        _ entityID: String = "person.ann", _ value: String = "home", at changed: Date = earlier, toldAt: Date? = nil
    ) throws -> PresenceState {
        try #require(PresenceState(PersonMessages.state(entityID, value, at: changed), toldAt: toldAt))
    }

    private func entries(_ entries: JSONValue...) -> [String: EntityRegistryEntry] {
        let read = entries.compactMap { EntityRegistryEntry($0) }
        return Dictionary(read.map { ($0.entityID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: One state

    @Test(
        "A person and a device tracker are home, away or unknown",
        arguments: [
            ("home", true), ("not_home", false), ("Work", false), ("Home", false), ("unknown", nil), ("unavailable", nil), ("", nil),
        ] as [(String, Bool?)])
    func values(value: String, isHome: Bool?) throws {
        #expect(try state("person.ann", value).isHome == isHome)
        #expect(try state("device_tracker.phone", value).isHome == isHome)
    }

    @Test(
        "A state without a time or of another domain is ignored",
        arguments: [
            #"{"entity_id": "person.ann", "state": "home"}"#, #"{"entity_id": "person.ann", "state": "home", "last_changed": "today"}"#,
            #"{"entity_id": "zone.home", "state": "1", "last_changed": "2026-11-21T13:00:00+00:00"}"#,
            #"{"entity_id": "person.Ann", "state": "home", "last_changed": "2026-11-21T13:00:00+00:00"}"#,
            #"{"entity_id": "person.ann", "last_changed": "2026-11-21T13:00:00+00:00"}"#, "17",
        ])
    func unreadable(text: String) throws {
        #expect(PresenceState(try #require(JSONValue.read(Array(text.utf8)))) == nil)
    }

    @Test("A live change is dated by its age, so a wrong Home Assistant clock has no effect")
    func age() throws {
        var states = PresenceTracker()
        let wrong = Self.now.addingTimeInterval(90_000)

        let isNews = states.apply(try state(at: wrong, toldAt: wrong.addingTimeInterval(5)), at: Self.now)

        let source = states.sources(among: entries(PersonMessages.entry("person.ann", "e1"))).first
        #expect(isNews && source?.presence == Person.Presence(isHome: true, since: Self.now.addingTimeInterval(-5)))
    }

    @Test("A fetched state has Home Assistant's time, and none lies in the future")
    func read() throws {
        var states = PresenceTracker()
        let all: JSONValue = [
            PersonMessages.state("person.ann", "home", at: Self.earlier),
            PersonMessages.state("person.ben", "not_home", at: Self.now.addingTimeInterval(60)), "17",
        ]

        states.replaceAll(all, at: Self.now)

        let sources = states.sources(among: entries(PersonMessages.entry("person.ann", "e1"), PersonMessages.entry("person.ben", "e2")))
        #expect(sources.map(\.entityID) == ["person.ann", "person.ben"] && sources.map(\.name) == ["Ann Elm", "Ann Elm"])
        #expect(sources.map { $0.presence?.since } == [Self.earlier, Self.now])
    }

    @Test("A repeated state keeps its time and is no change, and an entity no longer listed is removed")
    func again() throws {
        var states = PresenceTracker()
        let known = entries(PersonMessages.entry("person.ann", "e1"))
        _ = states.apply(try state(at: Self.earlier, toldAt: Self.now), at: Self.now)

        let isNews = states.apply(try state(at: Self.earlier), at: Self.now.addingTimeInterval(600))
        states.replaceAll([PersonMessages.state("person.ann", "home", at: Self.earlier)], at: Self.now.addingTimeInterval(900))
        let kept = states.sources(among: known).first?.presence?.since
        states.replaceAll([], at: Self.now.addingTimeInterval(1000))

        #expect(!isNews && kept == Self.earlier && states.sources(among: known).isEmpty)
    }

    // MARK: Owner

    @Test("A hidden or disabled entity, or one without a registry id, cannot be linked")
    func unlinkable() throws {
        var states = PresenceTracker()
        for name in ["ann", "hidden", "off", "old", "legacy"] { _ = states.apply(try state("person.\(name)"), at: Self.now) }
        let registered = entries(
            PersonMessages.entry("person.ann", "e1"),
            ["entity_id": "person.hidden", "id": "e2", "unique_id": "h", "platform": "person", "hidden_by": "user"],
            ["entity_id": "person.off", "id": "e3", "unique_id": "o", "platform": "person", "disabled_by": "user"],
            ["entity_id": "person.old", "unique_id": "x", "platform": "person"])

        #expect(states.sources(among: registered).map(\.key) == ["e1"])
    }

    @Test("The number of tracked entities is bounded")
    func limit() throws {
        var states = PresenceTracker()
        let names = (0..<PresenceTracker.limit + 5).map { "device_tracker.phone_\($0)" }

        for name in names { _ = states.apply(try state(name), at: Self.now) }

        let registered = Dictionary(
            names.compactMap { EntityRegistryEntry(PersonMessages.entry($0, "id-\($0)")) }.map { ($0.entityID, $0) },
            uniquingKeysWith: { $1 })
        #expect(states.sources(among: registered).count == PresenceTracker.limit)
    }

    // MARK: Across a reconnection

    private func withRunningIntegration(
        linked: Set<String>, _ body: @escaping @Sendable (FakeHomeAssistant, IntegrationFixture) async throws -> Void
    ) async throws {
        let fake = FakeHomeAssistant()
        fake.persons(["person.ann": ("e1", "home"), "person.ben": ("e2", "not_home")])
        try await FakeHomeAssistant.run(fake) { fake in
            let house = try IntegrationFixture("http://127.0.0.1:\(fake.port)")
            house.presence.log.change { $0.linked = linked }
            try await house.run { house in
                try await house.health("it is connected") { $0.status == .connected }
                try await body(fake, house)
            }
        }
    }

    /// Waits until all earlier messages are processed.
    private func waitUntilProcessed(_ fake: FakeHomeAssistant, _ house: IntegrationFixture) async throws {
        // The second report counts only when everything with the first one is processed.
        for value in ["unlocking", "unlocked"] {
            fake.lines.now.last?.send(FakeHomeAssistant.changed("lock.front_door", value))
            try await house.sink.log.waitUntil("the lock says \(value)") { $0.last("lock.front_door")?.state.value == value }
        }
    }

    @Test("Only linked entities are reported, at the start and at each change")
    func linked() async throws {
        try await withRunningIntegration(linked: ["e1"]) { fake, house in
            let log = house.presence.log
            try await log.waitUntil("Ann is home") { $0.last("e1")?.isHome == true }

            fake.lines.now.last?.send(PersonMessages.changed("person.ben", "home"))
            fake.lines.now.last?.send(PersonMessages.changed("person.ann", "unavailable"))
            fake.lines.now.last?.send(PersonMessages.changed("person.ann", "Work"))
            let told = try await log.waitUntil("Ann is away") { $0.last("e1")?.isHome == false }

            #expect(told.reports.allSatisfy { $0.keys.elementsEqual(["e1"]) })
            let sources = await house.integration.presenceSources()
            #expect(sources.map(\.entityID) == ["person.ann", "person.ben"] && sources.map(\.key) == ["e1", "e2"])
            #expect(house.sink.log.now.devices.values.allSatisfy { !$0.id.contains("ann") }, "a person is no device")
        }
    }

    @Test("Without a link nothing is reported")
    func unlinked() async throws {
        try await withRunningIntegration(linked: []) { fake, house in
            fake.lines.now.last?.send(PersonMessages.changed("person.ann", "not_home"))
            try await waitUntilProcessed(fake, house)

            #expect(house.presence.log.now.reports.isEmpty)
        }
    }

    @Test("A renamed person keeps the link, and an entity that reuses the old entity id does not get it")
    func renamed() async throws {
        try await withRunningIntegration(linked: ["e1"]) { fake, house in
            let log = house.presence.log
            try await log.waitUntil("Ann is home") { $0.last("e1")?.isHome == true }

            fake.persons(["person.anna": ("e1", "not_home"), "person.ann": ("e9", "home")])
            fake.lines.now.last?.send(PersonMessages.registry("person.anna", before: "person.ann"))
            try await log.waitUntil("Anna is away") { $0.last("e1")?.isHome == false }
            let count = log.now.reports.count
            fake.lines.now.last?.send(PersonMessages.changed("person.ann", "not_home"))
            fake.lines.now.last?.send(PersonMessages.changed("person.ann", "home"))
            try await waitUntilProcessed(fake, house)
            let later = log.now
            fake.lines.now.last?.send(PersonMessages.changed("person.anna", "home"))
            let told = try await log.waitUntil("Anna is home") { $0.last("e1")?.isHome == true }

            #expect(later.reports.dropFirst(count).allSatisfy { $0["e1"]?.isHome == false }, "a stranger of the old name says nothing")
            #expect(told.reports.allSatisfy { $0.keys.elementsEqual(["e1"]) })
        }
    }

    @Test("A person recreated under the same entity id is a different one")
    func madeAnew() async throws {
        try await withRunningIntegration(linked: ["e1"]) { fake, house in
            let log = house.presence.log
            try await log.waitUntil("Ann is home") { $0.last("e1")?.isHome == true }

            fake.persons(["person.ann": ("e9", "not_home")])
            // All of it at once, as in a burst of events.
            let news = [
                PersonMessages.gone("person.ann"), PersonMessages.registry("person.ann", action: "remove"),
                PersonMessages.registry("person.ann", action: "create"),
                PersonMessages.changed("person.ann", "not_home"),
            ]
            fake.lines.now.last?.send("[\(news.joined(separator: ","))]")
            try await waitUntilProcessed(fake, house)

            #expect(log.now.reports.allSatisfy { $0["e1"]?.isHome == true })
            #expect(await house.integration.presenceSources().map(\.key) == ["e9"])
        }
    }

    @Test("A change during a disconnection is reported after the reconnection")
    func away() async throws {
        try await withRunningIntegration(linked: ["e1"]) { fake, house in
            let log = house.presence.log
            try await log.waitUntil("Ann is home") { $0.last("e1")?.isHome == true }

            fake.persons(["person.ann": ("e1", "Work")])
            fake.lines.now.last?.close()

            try await log.waitUntil("Ann is away") { $0.last("e1")?.isHome == false }
        }
    }
}

extension FakeHomeAssistant {
    /// Sets these persons, by their entity ids, each with its registry id and its state.
    fileprivate func persons(_ persons: [String: (id: String, state: String)]) {
        let entries = persons.map { PersonMessages.text(PersonMessages.entry($0.key, $0.value.id)) }
        let states = persons.map { PersonMessages.text(PersonMessages.state($0.key, $0.value.state, at: PersonMessages.moment())) }
        let rest = Self.states.trimmingCharacters(in: .whitespacesAndNewlines).dropLast()
        registry.change {
            $0["config/entity_registry/list"] = "[\(entries.joined(separator: ","))]"
            $0["get_states"] = "\(rest), \(states.joined(separator: ","))]"
        }
    }
}

/// Home Assistant's messages about persons.
private enum PersonMessages {
    private static let count = AwaitableValue(0)

    /// A time later than all earlier ones.
    static func moment() -> Date {
        count.change { $0 += 1 }
        return Date(timeIntervalSince1970: 1_795_200_000 + Double(count.now))
    }

    static func text(_ value: JSONValue) -> String {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    static func entry(_ entityID: String, _ id: String) -> JSONValue {
        ["entity_id": .string(entityID), "id": .string(id), "unique_id": .string("u-\(id)"), "platform": "person"]
    }

    static func state(_ entityID: String, _ value: String, at changed: Date) -> JSONValue {
        [
            "entity_id": .string(entityID), "state": .string(value),
            "last_changed": .string(Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(changed)),
            "attributes": ["friendly_name": "Ann Elm", "latitude": 48.1, "longitude": 11.5],
        ]
    }

    static func changed(_ entityID: String, _ value: String) -> String {
        let at = moment()
        let state = state(entityID, value, at: at)
        return text([
            "type": "event", "id": 2,
            "event": [
                "event_type": "state_changed", "time_fired": state["last_changed"] ?? .null,
                "data": ["entity_id": .string(entityID), "new_state": state],
            ],
        ])
    }

    static func gone(_ entityID: String) -> String {
        text([
            "type": "event", "id": 2,
            "event": ["event_type": "state_changed", "data": ["entity_id": .string(entityID), "new_state": .null]],
        ])
    }

    static func registry(_ entityID: String, action: String = "update", before: String? = nil) -> String {
        var data: [String: JSONValue] = ["action": .string(action), "entity_id": .string(entityID)]
        data["old_entity_id"] = before.map { .string($0) }
        return text(["type": "event", "id": 5, "event": ["event_type": "entity_registry_updated", "data": .object(data)]])
    }
}
