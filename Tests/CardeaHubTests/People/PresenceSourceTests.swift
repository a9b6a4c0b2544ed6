import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Presence sources of integrations", .timeLimit(.minutes(5)))
struct PresenceSourceTests {
    private struct ScriptedIntegrationFactory: IntegrationFactory {
        let integration = "persons"

        func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration {
            throw IntegrationSettingsError(field: "persons", message: "is not connected in this test")
        }

        func server(_ settings: Data) -> String? { nil }
        func redacted(_ settings: Data) -> [String: JSONValue] { [:] }
    }

    private static func source(
        _ entityID: String = "person.ann", _ key: String = "e1", isHome: Bool = true, since: Date
    ) -> PresenceSource {
        PresenceSource(key: key, entityID: entityID, name: "Ann", presence: Person.Presence(isHome: isHome, since: since))
    }

    /// A house with an owner and a member, and with an integration that knows one person, at home for an hour.
    private func withPersons(
        _ body: @escaping @Sendable (TestHouse, _ owner: Principal, _ bea: Principal, ScriptedPresenceBackend) async throws -> Void
    ) async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (bea, _) = try await house.resident("bea", role: "member", by: owner)
            let persons = ScriptedPresenceBackend([Self.source(since: house.clock.now.addingTimeInterval(-3600))])
            house.hub.integrations.add(persons)
            try await body(house, owner, bea, persons)
        }
    }

    private func presence(of who: Principal, in house: TestHouse) async throws -> Person.Presence? {
        let id = try #require(who.personID)
        return try await house.hub.people.person(id)?.presence
    }

    private func report(_ isHome: Bool, since: Date, key: String = "e1", in house: TestHouse) async throws {
        try await house.hub.presenceSources.report([key: Person.Presence(isHome: isHome, since: since)], of: "persons")
    }

    private func actions(_ house: TestHouse) async throws -> [String] {
        try await house.auditNotes().filter { $0.action == "people.presence_source" }.map(\.result)
    }

    @Test("A person's presence follows a source only after they link it, with the source's time")
    func link() async throws {
        try await withPersons { house, owner, bea, _ in
            let sources = house.hub.presenceSources
            let since = house.clock.now.addingTimeInterval(-3600)
            let before = try await sources.status(of: bea)
            try await report(true, since: since, in: house)
            let unlinked = try await presence(of: bea, in: house)

            let linked = try await sources.link("person.ann", by: bea, origin: .house)
            _ = try await sources.link("person.ann", by: bea, origin: .house)

            #expect(before.link == nil && before.candidates.map(\.source.entityID) == ["person.ann"] && unlinked == nil)
            #expect(linked.link?.source?.entityID == "person.ann" && linked.link?.linkedAt == house.clock.now)
            #expect(try await presence(of: bea, in: house) == Person.Presence(isHome: true, since: since))
            #expect(try await presence(of: owner, in: house) == nil)
            #expect(try await sources.linkedSources(of: "persons") == ["e1"])
            #expect(try await sources.linkedSources(of: "mqtt").isEmpty)
            #expect(try await actions(house) == ["done"], "linked again, nothing changes")
            let told = try await house.hub.mindFeed.read { [insight = house.hub.mindFeed] in
                try insight.journalEvents(after: 0, limit: 500, in: $0)
            }
            .occurrences.compactMap { one -> Date? in if case .presence = one.fact { one.at } else { nil } }
            #expect(told == [since], "automations are told when it was, and do nothing about what is long ago")
        }
    }

    @Test("The newer of the person's own report and the source's report wins")
    func newer() async throws {
        try await withPersons { house, _, bea, _ in
            let (people, start) = (house.hub.people, house.clock.now)
            _ = try await house.hub.presenceSources.link("person.ann", by: bea, origin: .house)
            func isHome() async throws -> Bool? { try await presence(of: bea, in: house)?.isHome }

            house.clock.advance(by: 60)
            _ = try await people.setPresence(isHome: false, by: bea, origin: .house)
            try await report(true, since: start, in: house)
            #expect(try await isHome() == false, "it said so before they did")

            house.clock.advance(by: 120)
            try await report(true, since: start.addingTimeInterval(100), in: house)
            #expect(try await presence(of: bea, in: house) == Person.Presence(isHome: true, since: start.addingTimeInterval(100)))

            _ = try await people.setPresence(isHome: true, by: bea, origin: .house)
            try await report(false, since: start.addingTimeInterval(150), in: house)
            #expect(try await isHome() == true, "they said once more that they are home, after that")

            house.clock.advance(by: 60)
            try await report(false, since: start.addingTimeInterval(200), in: house)
            #expect(try await isHome() == false)

            try await report(true, since: start.addingTimeInterval(9999), in: house)
            #expect(
                try await presence(of: bea, in: house) == Person.Presence(isHome: true, since: house.clock.now), "nothing is of the future")
        }
    }

    @Test("Only people who may control devices can link a source, and only an existing, unlinked one")
    func rights() async throws {
        try await withPersons { house, owner, bea, persons in
            let sources = house.hub.presenceSources
            let (guest, _) = try await house.resident("cy", role: "guest", by: owner)
            let program = Principal.apiToken(id: "token", personID: try person(bea))
            _ = try await sources.link("person.ann", by: bea, origin: .house)

            for who in [guest, program] {
                await #expect(throws: People.PersonError.self) { try await sources.status(of: who) }
                await #expect(throws: People.PersonError.self) { try await sources.link("person.ann", by: who, origin: .house) }
            }
            await #expect(throws: People.PersonError.self) { try await sources.unlink(by: program, origin: .house) }
            try await sources.unlink(by: guest, origin: .house)
            await #expect(throws: PresenceSources.PresenceSourceError.self) {
                try await sources.link("person.nobody", by: owner, origin: .house)
            }
            #expect(try await sources.status(of: owner).candidates.isEmpty, "what another has is not offered")
            await #expect(throws: PresenceSources.PresenceSourceError.self) {
                try await sources.link("person.ann", by: owner, origin: .house)
            }

            #expect(try await sources.status(of: bea).link?.source?.entityID == "person.ann")
            #expect(try await actions(house) == ["done", "refused", "refused", "refused"])
            persons.sources.change { $0.append(Self.source("person.owner", "e2", isHome: false, since: house.clock.now)) }
            _ = try await sources.link("person.owner", by: owner, origin: .house)
            #expect(try await presence(of: owner, in: house)?.isHome == false)
        }
    }

    private func person(_ who: Principal) throws -> String { try #require(who.personID) }

    @Test("After unlinking, source reports are ignored and the last presence is kept")
    func unlink() async throws {
        try await withPersons { house, _, bea, _ in
            let sources = house.hub.presenceSources
            _ = try await sources.link("person.ann", by: bea, origin: .house)
            let before = try await presence(of: bea, in: house)

            try await sources.unlink(by: bea, origin: .house)
            try await sources.unlink(by: bea, origin: .house)
            house.clock.advance(by: 60)
            try await report(false, since: house.clock.now, in: house)

            #expect(try await presence(of: bea, in: house) == before && before?.isHome == true)
            #expect(try await sources.status(of: bea).link == nil)
            #expect(try await sources.linkedSources(of: "persons").isEmpty)
            #expect(try await actions(house) == ["done", "done"])
        }
    }

    @Test("A renamed entity keeps its link, and a new entity with the old name has none")
    func renamed() async throws {
        try await withPersons { house, _, bea, persons in
            let sources = house.hub.presenceSources
            _ = try await sources.link("person.ann", by: bea, origin: .house)
            house.clock.advance(by: 60)
            let now = house.clock.now
            persons.sources.change {
                $0 = [Self.source("person.ann", "e9", isHome: false, since: now), Self.source("person.anna", since: now)]
            }

            try await report(false, since: now, key: "e9", in: house)
            let standing = try await sources.status(of: bea)

            #expect(try await presence(of: bea, in: house)?.isHome == true)
            #expect(standing.link?.source?.entityID == "person.anna")
            persons.sources.change { $0 = [] }
            let away = try await sources.status(of: bea)
            #expect(away.link != nil && away.link?.source == nil && away.candidates.isEmpty)
        }
    }

    @Test("Reports of a disabled person are ignored, and removal, erasure or disconnecting the integration deletes links")
    func ends() async throws {
        try await withPersons { house, owner, bea, _ in
            let (sources, people, id) = (house.hub.presenceSources, house.hub.people, try person(bea))
            house.hub.integrations.register(ScriptedIntegrationFactory())
            _ = try await sources.link("person.ann", by: bea, origin: .house)
            func bar(_ isBarred: Bool) async throws {
                _ = try await people.change(
                    id, .init(name: nil, role: nil, canInviteGuests: nil, disabled: isBarred), by: owner, origin: .house)
            }

            try await bar(true)
            house.clock.advance(by: 60)
            try await report(false, since: house.clock.now, in: house)
            #expect(try await presence(of: bea, in: house)?.isHome == true)
            try await bar(false)
            try await report(false, since: house.clock.now, in: house)
            #expect(try await presence(of: bea, in: house)?.isHome == false)

            try await people.remove(id, by: owner, origin: .house)
            #expect(try await sources.linkedSources(of: "persons").isEmpty)

            let (cleo, _) = try await house.resident("cleo", role: "member", by: owner)
            _ = try await sources.link("person.ann", by: cleo, origin: .house)
            _ = try await house.hub.jobs.erase(try person(cleo), by: owner, origin: .house)
            try await waitUntil("she is erased") { try await sources.linkedSources(of: "persons").isEmpty }

            _ = try await sources.link("person.ann", by: owner, origin: .house)
            try await house.hub.integrations.disconnect("persons", by: owner, origin: .house)
            #expect(try await sources.linkedSources(of: "persons").isEmpty)
        }
    }

    @Test("A link and the last presence survive a restart")
    func restart() async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        let first = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
        let (owner, _) = try await first.claim()
        first.hub.integrations.add(ScriptedPresenceBackend([Self.source(since: clock.now.addingTimeInterval(-60))]))
        _ = try await first.hub.presenceSources.link("person.ann", by: owner, origin: .house)

        let again = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
        let kept = try await presence(of: owner, in: again)
        clock.advance(by: 60)
        try await report(false, since: clock.now, in: again)

        #expect(kept?.isHome == true)
        #expect(try await presence(of: owner, in: again) == Person.Presence(isHome: false, since: clock.now))
    }

    @Test("A restored backup has no presence links")
    func restored() async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        let house = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
        let (owner, _) = try await house.claim()
        house.hub.integrations.add(ScriptedPresenceBackend([Self.source(since: clock.now.addingTimeInterval(-60))]))
        _ = try await house.hub.presenceSources.link("person.ann", by: owner, origin: .house)

        _ = try await PostRestoreReconciliation.apply(to: store, sealing: sealing, madeAt: clock.now, owner: nil, at: clock.now)

        #expect(try await house.hub.presenceSources.linkedSources(of: "persons").isEmpty)
    }
}
