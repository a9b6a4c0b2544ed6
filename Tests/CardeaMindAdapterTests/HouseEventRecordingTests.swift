import CardeaHub
import CardeaMind
import CardeaModel
import CardeaMindAdapter
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Recording of house events", .timeLimit(.minutes(5)))
struct HouseEventRecordingTests {
    private func memory(of house: TestHouse) -> HouseEventStore {
        HouseEventStore(
            store: house.store, houseReader: HubHouseReader(house.hub.mindFeed), now: house.hub.environment.now)
    }

    private func visibility(_ house: TestHouse, of principal: Principal) async throws -> RequesterVisibility {
        RequesterVisibility(of: try await house.hub.mindFeed.requester(principal))
    }

    @Test("An unlock is stored once with result and actor; without access to actors only the door state shows")
    func doings() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("bea", role: "member", by: owner)
            let memory = memory(of: house)
            let command = try await house.run(house.unlock(as: owner))
            try await memory.catchUp()
            try await memory.catchUp()

            let all = try await memory.events(
                .init(devices: ["front-door"], newestFirst: false), seenBy: try await visibility(house, of: owner))
            #expect(all.map(\.fact) == [.command(.unlock, .confirmed, refusal: nil), .state("unlocked")])
            #expect(all.allSatisfy { $0.actor == owner.key && $0.at >= command.acceptedAt })
            let bare = try await memory.events(.init(devices: ["front-door"]), seenBy: try await visibility(house, of: member))
            #expect(bare.map(\.fact) == [.state("unlocked")] && bare.first?.actor == nil)
            let asked = HouseEventFilter(actors: [owner.key])
            #expect(try await memory.events(asked, seenBy: try await visibility(house, of: member)).isEmpty)
        }
    }

    @Test("A command in progress is stored as finished on the next poll")
    func underWay() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let memory = memory(of: house)
            house.doorBackend.set(.silent, at: "lock.front_door")
            let command = try await house.submit(house.unlock(as: owner))
            try await memory.catchUp()
            let visibility = try await visibility(house, of: owner)
            let open = try await memory.events(.init(kinds: [.asked]), seenBy: visibility)
            house.clock.advance(by: 60)
            _ = try await house.hub.commands.outcome(of: command)
            try await memory.catchUp()
            let ended = try await memory.events(.init(kinds: [.asked]), seenBy: visibility)

            #expect(open.map(\.fact) == [.command(.unlock, .dispatching, refusal: nil)])
            #expect(ended.map(\.fact) == [.command(.unlock, .unknown, refusal: nil)] && ended.map(\.id) == open.map(\.id))
        }
    }

    @Test("Refused commands and offline devices are stored")
    func refusals() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(house.draft(uses: 1), by: owner)
            _ = try await house.run(house.open(as: guest))
            await #expect(throws: CommandRefusal.self) { try await house.run(house.open(as: guest)) }
            try await house.hub.devices.reportAvailability(.offline, deviceIDs: ["hall-light"])
            let memory = memory(of: house)
            try await memory.catchUp()
            let visibility = try await visibility(house, of: owner)

            let tried = try await memory.events(.init(actors: [guest.key], kinds: [.asked]), seenBy: visibility)
            #expect(tried.count == 2 && tried.contains { if case .command(_, .failed, refusal: .some) = $0.fact { true } else { false } })
            #expect(try await memory.events(.init(kinds: [.standing]), seenBy: visibility).map(\.deviceID) == ["hall-light"])
        }
    }

    // With each page the mind read two thousand entries without a refusal, because it stayed where it had last found one.
    @Test("Audit entries without refusals are skipped for good, later refusals are found, and reads are ignored")
    func passing() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(house.draft(uses: 1), by: owner)
            _ = try await house.run(house.open(as: guest))
            func end() async throws -> Int64? { try await house.store.read { try Int64.fetchOne($0, sql: "SELECT max(seq) FROM audit") } }
            let houseReader = HubHouseReader(house.hub.mindFeed)
            let read = try await houseReader.events(after: FeedPosition(), limit: 1000).end
            #expect(try await end() == read.trail)

            await house.hub.mindFeed.recordAnswer(try await house.hub.mindFeed.requester(owner), citing: 1, by: owner, origin: .house)
            #expect(try await end() == read.trail + 1)
            #expect(try await houseReader.events(after: read, limit: 1000).end == read)

            await #expect(throws: CommandRefusal.self) { try await house.run(house.open(as: guest)) }
            _ = try await house.run(house.unlock(as: owner))
            let told = try await houseReader.events(after: read, limit: 1000).events.map(\.event)
            #expect(told.count { if case .command(_, .failed, refusal: .some) = $0.fact { true } else { false } } == 1)
        }
    }

    @Test("An imported event is stored once and deleted past the retention")
    func brought() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let memory = memory(of: house)
            func told(daysAgo: Double) -> ReportedHouseEvent {
                ReportedHouseEvent(
                    HouseEvent(
                        id: "", at: house.clock.now.addingTimeInterval(-daysAgo * 86_400), actor: owner.key, fact: .presence(isHome: true)),
                    source: "line:\(daysAgo)")
            }
            let past = [told(daysAgo: 100), told(daysAgo: 80), told(daysAgo: 1)]

            #expect(try await memory.importEvents(past) == 3)
            #expect(try await memory.importEvents(past) == 0)
            try await memory.catchUp()
            #expect(try await memory.events(.init(), seenBy: try await visibility(house, of: owner)).count == 2)
        }
    }

    // The last state of each device before the retention start is kept, and the house once took that for a complete record: a door opened a
    // hundred days ago had been opened by "nobody", with certainty.
    @Test("Questions before the retention start are unknown, and partly covered ones state the start")
    func border() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let now = house.clock.now
            func state(_ number: Int, _ value: String, _ days: Double) -> ReportedHouseEvent {
                ReportedHouseEvent(
                    HouseEvent(
                        id: "", at: now - days * 86_400, deviceID: "front-door", entityID: "lock.front_door", actor: nil,
                        fact: .state(value)),
                    source: "past:\(number)")
            }
            _ = try await house.mind.eventStore.importEvents([state(1, "locked", 300), state(2, "unlocked", 30), state(3, "locked", 29.9)])
            let visibility = try await visibility(house, of: owner)
            func ask(_ sentence: String) async throws -> Reply { try await house.mind.answer(sentence, seenBy: visibility) }

            let border = try #require(try await house.mind.eventStore.retentionStart())
            #expect(abs(border.timeIntervalSince(now - 90 * 86_400)) < 1)
            let before = try await ask("who opened the front door 100 days ago?")
            #expect(before.confidence == 0 && before.response.contains("my memory begins"), "\(before.response)")
            let partly = try await ask("how often was the front door opened in the last 120 days?")
            #expect(partly.facts.contains(.count(1)) && partly.confidence == 0.8, "\(partly.response)")
            #expect(partly.response.contains("My memory begins on"), "\(partly.response)")
            let whole = try await ask("how often was the front door opened in the last 60 days?")
            #expect(whole.facts.contains(.count(1)) && whole.confidence == 1, "\(whole.response)")
        }
    }

    @Test("An automatic relock or opening by hand is not attributed to the last requester")
    func byItself() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let memory = memory(of: house)
            _ = try await house.run(house.unlock(as: owner))
            for state in ["locked", "unlocked"] {
                house.clock.advance(by: 10)
                try await house.doorBackend.report(state, at: "lock.front_door")
            }
            try await memory.catchUp()

            let wanted = HouseEventFilter(kinds: [.state], newestFirst: false)
            let said = try await memory.events(wanted, seenBy: try await visibility(house, of: owner))
            #expect(said.map(\.fact) == [.state("unlocked"), .state("locked"), .state("unlocked")])
            #expect(said.map(\.actor) == [owner.key, nil, nil])
        }
    }

    // To find a change's actor, all commands of the last half minute were once read each time: with a lamp that a program switched hundreds
    // of times, every door waited up to two hundred milliseconds.
    @Test("Lamp changes keep their actor over hundreds of commands, and spontaneous ones have none")
    func flickering() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let memory = memory(of: house)
            let start = house.clock.now.addingTimeInterval(-60)
            func told(_ place: Int, after seconds: Double, _ fact: HouseEvent.Fact, by actor: String? = nil) -> ReportedHouseEvent {
                ReportedHouseEvent(
                    HouseEvent(
                        id: "", at: start.addingTimeInterval(Double(place) * 0.05 + seconds), deviceID: "hall-light",
                        entityID: "light.hall_light", actor: actor, fact: fact), source: "line:\(place):\(fact.kind.rawValue)")
            }
            func asked(_ place: Int) -> [ReportedHouseEvent] {
                let isOn = place.isMultiple(of: 2)
                return [
                    told(place, after: 0, .command(isOn ? .on : .off, .confirmed, refusal: nil), by: owner.key),
                    told(place, after: 0.02, .state(isOn ? "on" : "off")),
                ]
            }
            #expect(try await memory.importEvents((0..<500).flatMap(asked)) == 1000)
            // Without a command: an earlier command had already been carried out.
            let byItself = [told(500, after: 0, .state("on")), told(501, after: 0, .state("off"))]
            #expect(try await memory.importEvents(byItself) == 2)
            // A change at the moment of its command answers it.
            let atOnce = [
                told(502, after: 0, .command(.on, .confirmed, refusal: nil), by: owner.key), told(502, after: 0, .state("on")),
                told(503, after: 0, .state("off")), told(504, after: 0, .state("on")),
            ]
            #expect(try await memory.importEvents(atOnce) == 4)

            let wanted = HouseEventFilter(entities: ["light.hall_light"], kinds: [.state], newestFirst: false, limit: 1000)
            let visibility = try await visibility(house, of: owner)
            // The count of further ones was once taken from the latest thousand.
            let lately = HouseEventFilter(entities: ["light.hall_light"], limit: 20)
            #expect(try await memory.events(lately, seenBy: visibility).count == 20)
            #expect(try await memory.count(lately, seenBy: visibility) == 1006)
            #expect(try await memory.count(lately, seenBy: RequesterVisibility(key: owner.key, devices: ["front-door"])) == 0)
            let said = try await memory.events(wanted, seenBy: visibility)
            #expect(said.map(\.actor) == Array(repeating: owner.key, count: 500) + [nil, nil, owner.key, nil, nil])
        }
    }

    @Test("An approved request is one event, at the time of its approval")
    func waited() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(house.draft(asksEachTime: true), by: owner)
            let memory = memory(of: house)
            let command = try await house.submit(house.open(as: guest))
            try await memory.catchUp()
            house.clock.advance(by: 60)
            _ = try await house.hub.commands.decide(command.id, approve: true, by: owner, origin: .house)
            _ = try await house.hub.commands.outcome(of: command)
            try await memory.catchUp()

            let all = try await memory.events(.init(devices: ["front-door"]), seenBy: try await visibility(house, of: owner))
            #expect(all.count == 2 && all.allSatisfy { $0.actor == guest.key && $0.at == house.clock.now })
        }
    }

    @Test("A deleted sighting is not stored")
    func deleted() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let memory = memory(of: house)
            let seen = Events.Draft(source: "bell", type: "ring", description: "Somebody rang", occurredAt: house.clock.now)
            let (event, _) = try await house.hub.events.record(seen, by: owner, call: nil, origin: .house)
            try await memory.catchUp()
            let visibility = try await visibility(house, of: owner)
            #expect(try await memory.events(.init(kinds: [.seen]), seenBy: visibility).count == 1)

            try await house.hub.events.remove(event.id, by: owner, origin: .house)
            try await memory.catchUp()
            #expect(try await memory.events(.init(kinds: [.seen]), seenBy: visibility).isEmpty)
        }
    }

    @Test("A state older than the retention is still known")
    func longAgo() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let memory = memory(of: house)
            try await house.doorBackend.report("unlocked", at: "lock.back_door")
            try await memory.catchUp()
            house.clock.advance(by: 100 * 86_400)
            try await house.hub.devices.reportAvailability(.offline, deviceIDs: ["hall-light"])
            try await memory.catchUp()

            let said = try await memory.events(.init(kinds: [.state]), seenBy: try await visibility(house, of: owner))
            #expect(said.map(\.fact) == [.state("unlocked")])
        }
    }
}
