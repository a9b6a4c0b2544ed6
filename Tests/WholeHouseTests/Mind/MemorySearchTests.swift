import CardeaHub
import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Memory search and ids", .timeLimit(.minutes(5)))
struct MemorySearchTests {
    // The search once covered the latest thousand events, while the contract promised all time.
    @Test("A word from before the latest thousand events is found")
    func old() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let now = house.clock.now
            func told(_ number: Int, _ fact: HouseEvent.Fact) -> ReportedHouseEvent {
                ReportedHouseEvent(
                    HouseEvent(
                        id: "", at: now - 86_400 + Double(number), deviceID: "hall-light", entityID: "light.hall", fact: fact),
                    source: "past:\(number)")
            }
            let first = told(0, .sighting(type: "person", words: "A zeppelin over the garden"))
            let others = (1...2500).map { told($0, .state($0.isMultiple(of: 2) ? "on" : "off")) }
            #expect(try await house.mind.eventStore.importEvents([first] + others) == 2501)

            let found = try await ask(.get, "/api/v1/memory?q=zeppelin", nil)
            #expect(found.body["memories"]?.array.count == 1 && found.body["total"] == 1, "\(found.body)")
            #expect(found.body["memories"]?.array.first?["content"]?.string?.contains("zeppelin") == true)
            #expect(try await ask(.get, "/api/v1/memory?q=submarine", nil).body["total"] == 0)
        }
    }

    // An unknown word was once searched in every one of some hundred thousand events, after each pause in typing.
    @Test("A search reads matching candidates and reports how far it got when limited")
    func reach() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let asker = MemoryRequester(try await house.hub.mindFeed.requester(owner))
            let start = house.clock.now - 86_400
            func told(_ number: Int, _ device: String, _ entity: String, _ fact: HouseEvent.Fact) -> ReportedHouseEvent {
                ReportedHouseEvent(
                    HouseEvent(id: "", at: start + Double(number), deviceID: device, entityID: entity, fact: fact), source: "past:\(number)"
                )
            }
            let old = [
                told(0, "front-door", "lock.front_door", .state("locked")),
                told(1, "hall-light", "light.hall", .sighting(type: "person", words: "A zeppelin over the garden")),
            ]
            let others = (2...6500).map { told($0, "hall-light", "light.hall", .state($0.isMultiple(of: 2) ? "on" : "off")) }
            #expect(try await house.mind.eventStore.importEvents(old + others) == 6501)
            func search(_ words: String) async throws -> MemorySearchResult {
                try await house.mind.findMemories(MemorySearch(words: words), by: asker)
            }

            let unheard = try await search("submarine")
            // A person's own report may contain any word.
            #expect(unheard.total == 0 && unheard.readCount == 1 && unheard.since == nil)
            let seen = try await search("zeppelin")
            #expect(seen.total == 1 && seen.readCount == 1 && seen.since == nil)
            let named = try await search("front")
            #expect(named.total >= 1 && named.readCount <= 5100, "\(named.readCount)")
            let own = try await search("refused")
            #expect(own.total == 0 && own.readCount == 5000 && own.since.map { $0 > start } == true, "\(own.readCount)")
            #expect(try await search("light").since == nil)
            #expect(try await ask(.get, "/api/v1/memory?q=refused", nil).body["searched_since"]?.string != nil)
            #expect(try await ask(.get, "/api/v1/memory?q=zeppelin", nil).body["searched_since"] == nil)
            #expect(try await ask(.get, "/api/v1/memory?q=light&category=presence", nil).body["total"] == 0)
        }
    }

    // A mood cause from thermometers once had no evidence to open.
    @Test("Every mood cause of a sensor references its hourly readings")
    func felt() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let room = try await ask(.post, "/api/v1/rooms", #"{"name":"Study","preferred_temperature":21}"#)
            let id = try #require(room.body["room_id"]?.string)
            #expect(try await ask(.patch, "/api/v1/devices/hall-sensor", #"{"room_id":"\#(id)"}"#).status == 200)
            let now = house.clock.now
            _ = try await house.hub.readings.importReadings(
                (0..<18).map { .init(entityID: "sensor.hall", at: now - 10_800 + Double($0) * 600, value: 14) })
            try await house.doorBackend.report("14", at: "sensor.hall")
            await house.mind.poll(isAsked: true)

            let visibility = RequesterVisibility(of: try await house.hub.mindFeed.requester(owner))
            let causes = house.mind.mood(seenBy: visibility).state.shares.map(\.cause)
            let cold = try #require(causes.first { $0.id == "temperature:\(id)" }, "\(causes.map(\.id))")
            #expect(cold.events.count == 1 && cold.since < now - 3600)
            for event in cold.events {
                let opened = try await ask(.get, "/api/v1/memory/\(event)", nil)
                #expect(opened.body["content"]?.string?.contains("14 °C") == true, "\(opened.body)")
                #expect(opened.body["version"] == 0 && opened.entityTag == nil)
            }
            let why = try await ask(.post, "/api/v1/consciousness/query", #"{"query":"why are you worried?"}"#)
            #expect(why.body["context"]?["events"]?.array.compactMap(\.string).contains(cold.events[0]) == true, "\(why.body)")

            // Readers with °F get °F everywhere; the stored value is the same.
            func words() async throws -> [String] {
                let state = try await ask(.get, "/api/v1/consciousness/status", nil).body["emotional_state"]
                let causes = (state?["causes"]?.array ?? []).filter { $0["cause_id"]?.string == cold.id }.map { $0["words"]?.string ?? "" }
                let moments = try await ask(.get, "/api/v1/consciousness/emotions", nil).body["history"]?.array ?? []
                let talk = try await ask(.post, "/api/v1/consciousness/query", #"{"query":"why are you worried?"}"#).body["response"]?
                    .string
                var opened: [String] = []
                for event in cold.events {
                    // It once answered 304 to a reader who had read it in °C: no version covers an answer made per reader.
                    let hours = try await ask(.get, "/api/v1/memory/\(event)", nil, ifNoneMatch: "\"0\"")
                    opened.append(hours.body["content"]?.string ?? "")
                }
                let others = moments.compactMap { $0["trigger"]?.string } + [state?["reasoning"]?.string ?? ""]
                return causes + [talk ?? ""] + others.filter { $0.contains("Study is at") } + opened
            }
            #expect(try await words().allSatisfy { $0.contains("14 °C") })
            let unit = #"{"temperature_unit":"fahrenheit"}"#
            #expect(try await ask(.put, "/api/v1/people/me/preferences", unit).status == 200)
            let fahrenheit = try await words()
            #expect(fahrenheit.count >= 3 && fahrenheit.allSatisfy { $0.contains("57.2 °F") && !$0.contains("°C") }, "\(fahrenheit)")

            // It is over and decays: the answer says so beside the current cause.
            try await house.doorBackend.report("21", at: "sensor.hall")
            house.clock.advance(by: 60)
            await house.mind.poll(isAsked: true)
            let state = try await ask(.get, "/api/v1/consciousness/status", nil).body["emotional_state"]
            func ids(_ list: String) -> [String] { (state?[list]?.array ?? []).compactMap { $0["cause_id"]?.string } }
            #expect(!ids("causes").contains(cold.id) && ids("fading").contains(cold.id), "\(ids("causes")), \(ids("fading"))")
            let over = state?["fading"]?.array.first { $0["cause_id"]?.string == cold.id }
            #expect(over?["shares"]?.array.compactMap(\.number) == Emotion.allCases.map { cold.pull(on: $0) })
        }
    }

    // Only the last day was once read: a sensor lost for two days caused a mood without evidence.
    @Test("A mood cause lasting for days references its first event and start time")
    func lasting() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let (now, person) = (house.clock.now, try await house.hub.mindFeed.requester(owner).id)
            let entity = Entity(
                id: "sensor.cellar", kind: .sensor, name: "Cellar humidity", deviceClass: "humidity", unit: "%", verbs: [],
                state: EntityState("71"))
            try await house.hub.devices.announce(
                Device(
                    id: "cellar-sensor", name: "Cellar sensor", deviceClass: .sensor, integration: "scripted", status: .offline,
                    stateChangedAt: now, entities: [entity]))
            let (lost, left) = (now - 2 * 86_400, now - 30 * 3600)
            let told = [
                ReportedHouseEvent(
                    HouseEvent(id: "", at: lost, deviceID: "cellar-sensor", fact: .deviceStatus(.offline)), source: "past:1"),
                ReportedHouseEvent(
                    HouseEvent(id: "", at: left, actor: "person:\(person)", fact: .presence(isHome: false)), source: "past:2"),
            ]
            #expect(try await house.mind.eventStore.importEvents(told) == 2)
            try await house.hub.people.importPresences([person: Person.Presence(isHome: false, since: left)])
            await house.mind.poll(isAsked: true)

            let visibility = RequesterVisibility(of: try await house.hub.mindFeed.requester(owner))
            let causes = house.mind.mood(seenBy: visibility).state.shares.map(\.cause)
            for (id, since) in [("offline:cellar-sensor", lost), ("absence", left)] {
                let cause = try #require(causes.first { $0.id == id }, "\(causes.map(\.id))")
                #expect(cause.since == since && cause.events.count == 1, "\(cause)")
                for event in cause.events { #expect(try await ask(.get, "/api/v1/memory/\(event)", nil).status == 200) }
            }
        }
    }

    @Test("Device descriptions in a query are flagged for the interview, other sentences are not")
    func forInterview() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            func answer(_ query: String) async throws -> JSONValue? {
                try await ask(.post, "/api/v1/consciousness/query", #"{"query":"\#(query)"}"#).body["for_interview"]
            }

            #expect(try await answer("There are two Hue lamps over the sofa and a Yale lock at the back") == true)
            #expect(try await answer("is the front door locked?") == nil)
        }
    }

    @Test("Hourly readings in an answer are readable by those who see the sensor, and read-only")
    func readings() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, others) = try await house.resident("bea", role: "member", by: owner)
            let (ask, member) = (TestAPIClient(client: client, token: tokens.access), TestAPIClient(client: client, token: others.access))
            let noon = Date(timeIntervalSince1970: (house.clock.now.timeIntervalSince1970 / 86_400 - 1).rounded(.down) * 86_400)
            _ = try await house.hub.readings.importReadings(
                (0..<18).map { .init(entityID: "sensor.hall", at: noon + Double($0) * 600, value: 20 + Double($0) / 10) })

            let asked = try await ask(.post, "/api/v1/consciousness/query", #"{"query":"what was the average temperature yesterday?"}"#)
            let events = asked.body["context"]?["events"]?.array.compactMap(\.string) ?? []
            #expect(events.count == 1, "\(asked.body)")
            for id in events {
                for caller in [ask, member] {
                    let opened = try await caller(.get, "/api/v1/memory/\(id)", nil)
                    #expect(opened.body["content"]?.string?.contains("between 20 and 21.7 °C") == true, "\(opened.body)")
                    #expect(opened.body["related_devices"] == ["hall-sensor"] && opened.body["may_change"] == false)
                }
                #expect(try await ask(.delete, "/api/v1/memory/\(id)", nil).status == 409)
                #expect(try await ask(.patch, "/api/v1/memory/\(id)", #"{"content":"x"}"#).status == 409)
            }
            for id in [
                "readings_sensor.none_1_1", "readings_sensor.hall_1_1", "readings_sensor.hall_x_1", "readings_",
                "readings_sensor.hall_1_-1",
            ] {
                #expect(try await ask(.get, "/api/v1/memory/\(id)", nil).code == "memory_not_found", "\(id)")
            }
        }
    }
}
