@testable import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Mood causes: people, tasks and new devices")
struct PeopleCauseTests {
    private static let noon = EmotionFixtures.noon
    private static let ada = Inhabitant(key: "person:ada", name: "Ada", isHome: true)
    private static let door = EmotionFixtures.device("front", "Front door", EmotionFixtures.entity("lock.front", .lock, "locked"))
    private static let lamp = EmotionFixtures.device("lamp", "Lamp", EmotionFixtures.entity("light.lamp", .light, "on"))

    private static func causes(
        _ events: HouseEvent..., people: [Inhabitant] = [ada], onVacation: Bool = false, now: Date = noon
    ) -> [Cause] {
        var snapshot = EmotionFixtures.house(door, lamp, people: people)
        snapshot.isOnVacation = onVacation
        snapshot.guests = [Inhabitant(key: "guest:plumber", name: "Plumber")]
        return CauseDetector(snapshot: snapshot, events: events, now: now).causes()
    }

    private static func asked(
        _ number: Int, _ ago: TimeInterval, _ actor: String?, _ verb: Verb, _ status: CommandStatus, refusal: String? = nil
    ) -> HouseEvent {
        let (device, entity) = verb == .unlock ? ("front", "lock.front") : ("lamp", "light.lamp")
        return EmotionFixtures.event(
            number, noon - ago, device: device, entity: entity, actor: actor, .command(verb, status, refusal: refusal))
    }

    @Test("Refused attempts at a door raise worry, more with each; a lamp's and pending ones do not")
    func refused() throws {
        let one = Self.causes(Self.asked(1, 60, "guest:plumber", .unlock, .expired, refusal: "expired"))
        #expect(one.map(\.id) == ["refused:lock.front:guest:plumber"])
        #expect(one.first?.words.text == "A try at Front door was refused, by Plumber, the last at 14:59.")
        let three = Self.causes(
            Self.asked(1, 300, "guest:plumber", .unlock, .expired, refusal: "expired"),
            Self.asked(2, 200, "guest:plumber", .unlock, .expired, refusal: "expired"),
            Self.asked(3, 100, "guest:plumber", .unlock, .expired, refusal: "expired"))
        #expect(three.count == 1)
        #expect(three.first?.events == ["happening_1", "happening_2", "happening_3"])
        #expect(try #require(three.first).effects.worry > (try #require(one.first)).effects.worry)
        #expect(Self.causes(Self.asked(1, 60, "person:ada", .on, .expired, refusal: "role_lacks_right")).isEmpty)
        #expect(Self.causes(Self.asked(1, 60, "guest:plumber", .unlock, .accepted, refusal: "awaiting_approval")).isEmpty)
        // All of them count, though only the last twenty are listed.
        let many = (1...25).map { Self.asked($0, 900 - Double($0) * 30, "guest:plumber", .unlock, .expired, refusal: "expired") }
        let snapshot = EmotionFixtures.house(Self.door)
        let often = try #require(
            CauseDetector(snapshot: snapshot, events: many, now: Self.noon).causes().first { $0.id.hasPrefix("refused:") })
        #expect(often.words.text.hasPrefix("25 tries at Front door were refused") && often.events.count == 20, "\(often.words)")
        let old = Self.causes(Self.asked(1, 7 * 3600, "guest:plumber", .unlock, .expired, refusal: "expired"))
        #expect(!old.contains { $0.id.hasPrefix("refused") })

        let cause = try #require(three.first)
        #expect(!RequesterVisibility(key: "person:bea").sees(cause))
        #expect(RequesterVisibility(key: "person:bea", seesGuests: true).sees(cause))
    }

    // "Ada came home" was once still said after she had left again.
    @Test("A person who has left again is no cause of happiness")
    func leftAgain() {
        let (came, left) = (
            EmotionFixtures.event(1, Self.noon - 600, actor: "person:ada", .presence(isHome: true)),
            EmotionFixtures.event(2, Self.noon - 60, actor: "person:ada", .presence(isHome: false))
        )
        let away = Inhabitant(key: "person:ada", name: "Ada", isHome: false)
        #expect(!Self.causes(came, left, people: [away]).contains { $0.id == "home:person:ada" })
        #expect(
            Self.causes(came, left, EmotionFixtures.event(3, Self.noon - 30, actor: "person:ada", .presence(isHome: true))).map(\.events)
                == [
                    ["happening_3"]
                ])
    }

    @Test("A homecoming raises happiness, a guest at the door excitement, each for half an hour")
    func comings() throws {
        let home = { (ago: TimeInterval) in
            Self.causes(EmotionFixtures.event(1, Self.noon - ago, actor: "person:ada", .presence(isHome: true)))
        }
        #expect(try #require(home(60).first).words.text == "Ada came home at 14:59.")
        #expect(try #require(home(60).first).effects.happiness > 0.5)
        #expect(home(1900).isEmpty)
        let guest = Self.causes(Self.asked(1, 60, "guest:plumber", .unlock, .confirmed)).first { $0.id == "guest:guest:plumber" }
        #expect(try #require(guest).effects.excitement > 0.5)
        #expect(try #require(guest).words.text == "Plumber came in by Front door at 14:59.")
    }

    @Test("Hours with everybody away raise boredom; with one person at home they do not")
    func absence() throws {
        let away = [Inhabitant(key: "person:ada", name: "Ada", isHome: false), Inhabitant(key: "person:bea", name: "Bea", isHome: false)]
        let left = { (hours: Double) in
            [
                EmotionFixtures.event(1, Self.noon - hours * 3600, actor: "person:ada", .presence(isHome: false)),
                EmotionFixtures.event(2, Self.noon - (hours + 1) * 3600, actor: "person:bea", .presence(isHome: false)),
            ]
        }
        let five = Self.causes(left(5)[0], left(5)[1], people: away)
        #expect(five.map(\.id) == ["absence"])
        #expect(five.first?.words.text == "Nobody has been at home since 10:00.")
        #expect(five.first?.events == ["happening_2", "happening_1"])
        // Of the day before only the leaving is loaded: other events since then do not matter.
        let long = Self.causes(left(30)[0], left(30)[1], Self.asked(3, 3600, nil, .on, .dispatching), people: away)
        #expect(long.map(\.words.text) == ["Nobody has been at home since Tuesday 09:00."])
        #expect(long.first?.events == ["happening_2", "happening_1"] && long.first?.since == Self.noon - 30 * 3600)
        #expect(Self.causes(left(3)[0], left(3)[1], people: away).isEmpty)
        #expect(Self.causes(left(5)[0], left(5)[1], people: [Self.ada, away[1]]).isEmpty)
        // The house was once bored for weeks of an announced vacation.
        #expect(Self.causes(left(5)[0], left(5)[1], people: away, onVacation: true).isEmpty)
        let cause = try #require(five.first)
        #expect(!RequesterVisibility(key: "person:ada").sees(cause))
        #expect(EmotionFixtures.owner.sees(cause))
    }

    @Test("Six daytime hours without events raise boredom; the night does not count")
    func quiet() {
        let evening = EmotionFixtures.date("2025-06-25T18:00:00Z")
        let last = EmotionFixtures.event(1, evening - 7 * 3600, device: "lamp", entity: "light.lamp", .state("on"))
        let thermometer = EmotionFixtures.event(2, evening - 60, entity: "sensor.t", .state("20"))
        #expect(Self.causes(last, thermometer, now: evening).map(\.id) == ["quiet"])
        #expect(Self.causes(last, thermometer, onVacation: true, now: evening).isEmpty)
        // A condition since last week began there; it does not mean that nothing has happened since.
        let old = EmotionFixtures.event(3, evening - 7 * 86_400, device: "front", entity: "lock.front", .state("jammed"))
        let quiet = Self.causes(old, thermometer, now: evening)
        #expect(quiet.isEmpty, "\(quiet.map(\.words.text))")
        let morning = EmotionFixtures.date("2025-06-25T06:00:00Z")
        #expect(Self.causes(EmotionFixtures.event(1, morning - 10 * 3600, actor: nil, .state("on")), now: morning).isEmpty)
    }

    @Test("Confirmed commands raise happiness and failed ones worry, grouped by requester")
    func tasks() throws {
        let done = Self.causes(Self.asked(1, 60, "person:ada", .on, .confirmed))
        #expect(done.map(\.id) == ["done:light.lamp:person:ada"])
        #expect(try #require(done.first).effects.happiness > 0)
        let slow = Self.causes(Self.asked(1, 90, "person:ada", .on, .dispatching), Self.asked(2, 60, "person:ada", .on, .confirmed))
        #expect(slow.isEmpty)
        let failed = Self.causes(
            Self.asked(1, 90, "person:ada", .on, .failed), Self.asked(2, 60, "person:ada", .on, .unknown),
            Self.asked(3, 50, "person:bea", .on, .failed))
        #expect(failed.map(\.id) == ["failed:light.lamp:person:ada", "failed:light.lamp:person:bea"])
        #expect(try #require(failed.first).words.text == "Lamp did not do 2 things asked of it.")
        #expect(failed.filter(RequesterVisibility(key: "person:bea").sees).map(\.id) == ["failed:light.lamp:person:bea"])
        #expect(failed.filter(RequesterVisibility(key: "person:bea", devices: []).sees).isEmpty)
    }

    @Test("A new device raises excitement for a day; devices of the first day do not")
    func newcomers() {
        var known = DeviceFirstSeen()
        known.update(EmotionFixtures.house(Self.door), at: Self.noon - 86400 * 30)
        #expect(CauseDetector(snapshot: EmotionFixtures.house(Self.door), firstSeen: known, now: Self.noon).causes().isEmpty)
        known.update(EmotionFixtures.house(Self.door, Self.lamp), at: Self.noon)
        let outlook = { (now: Date) in
            CauseDetector(snapshot: EmotionFixtures.house(Self.door, Self.lamp), firstSeen: known, now: now).causes()
        }
        #expect(outlook(Self.noon + 3600).map(\.words.text) == ["Lamp is new here."])
        #expect(outlook(Self.noon + 90_000).isEmpty)
    }

    // "Lamp is new here" once referenced no event.
    @Test("A new device references its first event since it was added, not one from before its removal")
    func firstWord() {
        var known = DeviceFirstSeen()
        known.update(EmotionFixtures.house(Self.door), at: Self.noon - 86400 * 30)
        known.update(EmotionFixtures.house(Self.door, Self.lamp), at: Self.noon)
        let house = EmotionFixtures.house(Self.door, Self.lamp)
        let left = EmotionFixtures.event(1, Self.noon - 7200, device: "lamp", entity: "light.lamp", .state("off"))
        let came = EmotionFixtures.event(2, Self.noon - 20, device: "lamp", .deviceStatus(.online))
        let lit = EmotionFixtures.event(3, Self.noon + 60, device: "lamp", entity: "light.lamp", .state("on"))
        let events = { (events: [HouseEvent]) -> [String]? in
            let outlook = CauseDetector(snapshot: house, events: events, firstSeen: known, now: Self.noon + 600)
            return outlook.causes().first { $0.id == "new:lamp" }?.events
        }
        #expect(events([left, came, lit]) == ["happening_2"])
        #expect(events([left, lit]) == ["happening_3"])
        #expect(events([left]) == ["happening_1"])
        #expect(events([]) == [])
        let silent = CauseDetector(snapshot: house, firstSeen: known, now: Self.noon + 600)
        #expect(silent.lastReportFilters(before: Self.noon, beside: []).compactMap(\.devices) == [["lamp"]])
        #expect(silent.lastReportFilters(before: Self.noon, beside: [left]).isEmpty)
    }

    @Test("A learned habit raises slight excitement for a day")
    func learned() {
        var house = HabitSimulation(seed: 1, devices: [HabitSimulation.garage])
        for day in 0..<30 where house.habits.learned.isEmpty { house.simulateDay(day, house.garageDay()) }
        let since = house.habits.learned.values.max() ?? .distantPast
        let causes = CauseDetector(snapshot: house.house, habits: house.habits, now: since + 60).causes().filter { $0.kind == .learning }
        #expect(!causes.isEmpty)
        #expect(
            CauseDetector(snapshot: house.house, habits: house.habits, now: since + 90_000).causes().filter { $0.kind == .learning }.isEmpty
        )
    }

    // The evidence could not be opened: these causes referenced no event, and neither did the mood history.
    @Test("A learned habit references the last event it was learned from, also after decay")
    func lessons() throws {
        var house = HabitSimulation(seed: 1, devices: [HabitSimulation.garage], people: [Self.ada])
        for day in 0..<14 { house.simulateDay(day, house.garageDay()) }
        house.habits.advance(to: house.moment(14, 0))
        let keys = house.habits.learned.keys.sorted()
        #expect(Set(keys.map(\.aspect)) == [.closing, .hours, .home])
        let since = try #require(house.habits.learned.values.max())
        let events = [
            EmotionFixtures.event(1, since - 90_000, device: "garage", entity: "cover.garage", .state("closed")),
            EmotionFixtures.event(2, since - 7200, device: "garage", entity: "cover.garage", .state("open")),
            EmotionFixtures.event(3, since - 3600, device: "garage", entity: "cover.garage", .state("closed")),
            EmotionFixtures.event(4, since - 1800, actor: Self.ada.key, .presence(isHome: true)),
            EmotionFixtures.event(5, since - 900, actor: "person:bea", .presence(isHome: true)),
        ]
        let learned = CauseDetector(snapshot: house.house, events: events, habits: house.habits, now: since + 60).causes().filter {
            $0.kind == .learning
        }

        let eventIDs = Dictionary(learned.map { ($0.id, $0.events) }) { one, _ in one }
        for key in keys where house.habits.learned[key].map({ $0 > since - 86_340 }) == true {
            let wanted = key.aspect == .home ? ["happening_4"] : ["happening_2", "happening_3"]
            #expect(eventIDs["learned:\(key.aspect.rawValue):\(key.subject)"] == wanted, "\(eventIDs)")
        }
        #expect(!eventIDs.isEmpty)

        var mood = Mood(at: since)
        for minute in 0..<5 { mood.update(learned, at: since + 60 * Double(minute)) }
        let triggers = mood.history.entries(from: since, to: since + 3600, seenBy: EmotionFixtures.owner).compactMap(\.trigger)
        #expect(!triggers.isEmpty && triggers.allSatisfy { !$0.events.isEmpty })
    }

    @Test("For any events, causes come in order and have unique ids", arguments: TestSeed.values(1..<31))
    func anything(seed: Int) {
        var dice = FixtureRandom(seed: seed)
        let words = ["open", "jammed", "on", "", "{}", "NaN", "1e308", "-1"]
        let events = (0..<200).map { place -> HouseEvent in
            let facts: [HouseEvent.Fact] = [
                .state(words[dice.index(8)]), .deviceStatus(.offline), .presence(isHome: dice.index(2) == 0),
                .command(
                    Verb.allCases[dice.index(Verb.allCases.count)], CommandStatus.allCases[dice.index(6)],
                    refusal: dice.index(2) == 0 ? words[dice.index(8)] : nil),
                .sighting(type: words[dice.index(8)], words: words[dice.index(8)]),
            ]
            return EmotionFixtures.event(
                place, dice.index(20) == 0 ? .distantPast : Self.noon + dice.number(-1e5...1e3),
                device: ["front", "lamp", nil][dice.index(3)],
                entity: ["lock.front", "light.lamp", nil, "x"][dice.index(4)],
                actor: ["person:ada", "guest:plumber", "token:a:b", "token:", nil][dice.index(5)],
                facts[dice.index(5)])
        }
        var house = EmotionFixtures.house(Self.door, Self.lamp, people: [Self.ada])
        house.devices[0].entities[0].state.value = words[dice.index(8)]
        house.devices[0].status = DeviceStatus.allCases[dice.index(4)]
        let causes = CauseDetector(snapshot: house, events: events, now: Self.noon).causes()
        #expect(Set(causes.map(\.id)).count == causes.count)
        #expect(causes == CauseDetector(snapshot: house, events: events.shuffled(using: &dice), now: Self.noon).causes())
        let known = Set(events.map(\.id))
        for cause in causes {
            #expect(known.isSuperset(of: cause.events))
            #expect(cause.grounds.count <= Cause.evidenceLimit)
            #expect(cause.words.text.hasSuffix("."))
        }
    }
}
