import CardeaAutomations
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Automation triggers and conditions")
struct AutomationEvaluatorTests {
    private let start = Date(timeIntervalSince1970: 1_795_000_000)
    private let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    private func rule(
        _ triggers: [AutomationTrigger], if conditions: [AutomationCondition] = [], id: String = "one", on lock: String = "back-door"
    ) -> Automation {
        Automation(
            id: id, name: id, owner: "ada", triggers: triggers, conditions: conditions,
            actions: [.control(DeviceAction(deviceID: lock, verb: .lock))], createdAt: start, changedAt: start)
    }

    private func engine(_ rules: Automation..., residents: Set<String>? = nil) -> AutomationEvaluator {
        var engine = AutomationEvaluator(zone: berlin, at: start)
        engine.configure(in: berlin, residents: residents)
        engine.set(rules)
        return engine
    }

    private func event(
        _ seconds: Double, _ fact: HouseEvent.Fact, entity: String? = nil, device: String? = nil, by actor: String? = nil,
        report: StateReportKind? = nil
    ) -> HouseEvent {
        HouseEvent(
            id: "happening_\(Int(seconds * 10))", at: start.addingTimeInterval(seconds), deviceID: device, entityID: entity, actor: actor,
            fact: fact, report: report)
    }

    private func stateEvent(
        _ seconds: Double, _ value: String, entity: String = "lock.back", by actor: String? = nil, report: StateReportKind? = nil
    ) -> HouseEvent {
        event(seconds, .state(value), entity: entity, by: actor, report: report)
    }

    private func presenceEvent(_ seconds: Double, _ person: String, _ isHome: Bool) -> HouseEvent {
        event(seconds, .presence(isHome: isHome), by: "person:\(person)")
    }

    private let unlocked = AutomationTrigger.state(entityID: "lock.back", to: "unlocked", seconds: 0)

    @Test("A door trigger fires once per change to unlocked, not on repeated reports")
    func edge() {
        var engine = engine(rule([unlocked]))
        engine.seed(entity: "lock.back", value: "locked", since: start)
        let stream = [
            stateEvent(10, "unlocked"), stateEvent(20, "unlocked"), stateEvent(30, "locked"), stateEvent(40, "unavailable"),
            stateEvent(50, "locked"),
            stateEvent(60, "unlocked"),
        ]

        let firings = stream.flatMap { engine.receive($0) }

        #expect(firings.map(\.at) == [10, 60].map { start.addingTimeInterval($0) })
        #expect(
            firings.map(\.eventID) == ["happening_100", "happening_600"] && firings.allSatisfy { $0.verdict == .run && $0.trigger == 0 })
    }

    @Test("Three presses in a row fire three times")
    func presses() {
        var engine = engine(rule([.state(entityID: "event.button", to: "single", seconds: 0)]))
        let stream = [10.0, 20, 30].map { stateEvent($0, "single", entity: "event.button", report: .press) }

        let firings = stream.flatMap { engine.receive($0) }

        #expect(firings.map(\.at) == [10, 20, 30].map { start.addingTimeInterval($0) })
    }

    @Test("A retained message fires no change trigger, but counts for durations")
    func kept() {
        let stays = AutomationTrigger.state(entityID: "lock.back", to: "unlocked", seconds: 60)
        var engine = engine(rule([unlocked]), rule([stays], id: "two"))
        engine.seed(entity: "lock.back", value: "locked", since: start)

        #expect(engine.receive(stateEvent(10, "unlocked", report: .kept)).isEmpty)
        #expect(engine.receive(stateEvent(20, "unlocked")).isEmpty)
        #expect(engine.advance(to: start.addingTimeInterval(70)).map(\.automationID) == ["two"])
        _ = engine.receive(stateEvent(80, "locked"))
        #expect(engine.receive(stateEvent(90, "unlocked")).map(\.automationID) == ["one"])
    }

    @Test("Existing states, past events and late reports fire nothing")
    func past() {
        var engine = engine(rule([unlocked]))
        engine.seed(entity: "lock.back", value: "unlocked", since: start)

        #expect(engine.receive(stateEvent(5, "unlocked")).isEmpty)
        #expect(engine.receive(stateEvent(-100, "locked")).isEmpty && engine.receive(stateEvent(-50, "unlocked")).isEmpty)
        var fresh = self.engine(rule([unlocked]))
        #expect(fresh.receive(stateEvent(-1, "unlocked")).isEmpty && fresh.receive(stateEvent(0, "locked")).isEmpty)
        #expect(fresh.receive(stateEvent(3, "unlocked")).count == 1)
    }

    @Test("A ten-minute trigger fires at its deadline, and not if the state changed before")
    func lasting() {
        let rule = rule([.state(entityID: "lock.back", to: "unlocked", seconds: 600)])
        var engine = engine(rule)

        #expect(
            engine.receive(stateEvent(10, "unlocked")).isEmpty
                && engine.nextDeadline(before: .distantFuture) == start.addingTimeInterval(610))
        #expect(engine.receive(stateEvent(300, "locked")).isEmpty && engine.nextDeadline(before: .distantFuture) == nil)
        #expect(engine.advance(to: start.addingTimeInterval(700)).isEmpty)
        #expect(engine.receive(stateEvent(1000, "unlocked")).isEmpty)
        let firings = engine.advance(to: start.addingTimeInterval(5000))
        #expect(firings.map(\.at) == [start.addingTimeInterval(1600)] && firings.first?.eventID == "happening_10000")
        #expect(engine.advance(to: start.addingTimeInterval(9000)).isEmpty)
    }

    @Test("An automation edited while waiting starts over; a disabled or deleted one does not fire")
    func changed() {
        var rule = rule([.state(entityID: "lock.back", to: "unlocked", seconds: 600)])
        var engine = engine(rule)
        _ = engine.receive(stateEvent(10, "unlocked"))
        rule.version = 2
        rule.changedAt = start.addingTimeInterval(20)
        engine.set([rule])

        #expect(engine.advance(to: start.addingTimeInterval(5000)).isEmpty)
        _ = engine.receive(stateEvent(5010, "locked"))
        _ = engine.receive(stateEvent(5020, "unlocked"))
        rule.isOn = false
        engine.set([rule])
        #expect(engine.advance(to: start.addingTimeInterval(9000)).isEmpty)
        engine.set([])
        #expect(engine.receive(stateEvent(9010, "locked")).isEmpty && engine.receive(stateEvent(9020, "unlocked")).isEmpty)
    }

    @Test("A threshold trigger fires on crossing, not while beyond the threshold")
    func numbers() {
        var engine = engine(
            rule([.number(entityID: "sensor.hall", .above(25))], id: "hot"), rule([.number(entityID: "sensor.hall", .below(5))], id: "cold")
        )
        let readings: [(Double, Double)] = [(10, 26), (20, 20), (30, 25), (40, 25.1), (50, 30), (60, 24), (70, 4.9), (80, 3), (90, .nan)]

        let firings = readings.flatMap { engine.observe("sensor.hall", value: "\($0.1)", at: start.addingTimeInterval($0.0)) }

        #expect(firings.map(\.automationID) == ["hot", "cold"])
        #expect(firings.map(\.at) == [40, 70].map { start.addingTimeInterval($0) })
    }

    @Test("Last-leaves and first-arrives count known residents only, without former ones")
    func presence() {
        var engine = engine(
            rule([.presence(.lastLeaves)], id: "last"), rule([.presence(.firstArrives)], id: "first"),
            rule([.presence(.leaves("bea"))], id: "bea"), rule([.presence(.arrives("bea"))], id: "back"),
            residents: ["person:ada", "person:bea"])
        engine.seed(person: "person:ada", isHome: true)
        engine.seed(person: "person:bea", isHome: true)
        engine.seed(person: "person:cy", isHome: true)
        let stream = [
            presenceEvent(10, "bea", false), presenceEvent(20, "bea", false), presenceEvent(30, "ada", false),
            presenceEvent(40, "cy", true), presenceEvent(50, "bea", true),
            presenceEvent(60, "ada", true),
        ]

        let firings = stream.flatMap { engine.receive($0) }

        #expect(firings.map(\.automationID) == ["bea", "last", "first", "back"])
        #expect(firings.map(\.at) == [10, 30, 50, 50].map { start.addingTimeInterval($0) })
    }

    @Test("A time trigger follows local time and weekdays, once in the night of the clock change")
    func times() {
        let night = Date(timeIntervalSince1970: 1_792_854_000)  // Saturday, 24 October 2026, 17:00 in Berlin; the clocks go back that night
        var engine = AutomationEvaluator(zone: berlin, at: night)
        var rule = Automation(
            id: "one", name: "one", owner: "ada",
            triggers: [.time(at: TimeOfDay(minutes: 150) ?? .init(midnight: ()), weekdays: Set(Weekday.allCases))], actions: [],
            createdAt: .distantPast, changedAt: .distantPast)
        engine.set([rule])
        let firings = engine.advance(to: night.addingTimeInterval(3 * 86_400))
        // 02:30 summer time, then 02:30 winter time on the two days after.
        #expect(firings.map { $0.at.timeIntervalSince(night) } == [9.5, 34.5, 58.5].map { $0 * 3600 })

        rule.triggers = [.time(at: TimeOfDay(minutes: 420) ?? .init(midnight: ()), weekdays: [.mon, .tue])]
        rule.version = 2
        engine = AutomationEvaluator(zone: berlin, at: night)
        engine.set([rule])
        let mornings = engine.advance(to: night.addingTimeInterval(14 * 86_400))
        #expect(mornings.count == 4 && mornings.first?.at == night.addingTimeInterval(39 * 3600))
    }

    @Test("Sighting, refusal and offline triggers fire for their type, camera and device only")
    func others() {
        var engine = engine(
            rule([.seen(eventType: "person", cameraID: "yard")], id: "yard"), rule([.seen(eventType: "person", cameraID: nil)], id: "any"),
            rule([.refused(deviceID: "back-door")], id: "no"), rule([.offline(deviceID: "boiler")], id: "gone"))
        let stream = [
            event(10, .sighting(type: "person", words: "Somebody"), entity: "street"),
            event(20, .sighting(type: "cat", words: "A cat"), entity: "yard"),
            event(30, .sighting(type: "person", words: "Somebody"), entity: "yard"),
            event(40, .command(.unlock, .failed, refusal: "expired"), device: "front-door"),
            event(50, .command(.unlock, .failed, refusal: nil), device: "back-door"),
            event(60, .command(.unlock, .failed, refusal: "expired"), device: "back-door"),
            event(70, .deviceStatus(.offline), device: "boiler"), event(80, .deviceStatus(.offline), device: "boiler"),
            event(90, .deviceStatus(.online), device: "boiler"), event(100, .deviceStatus(.offline), device: "boiler"),
        ]

        #expect(stream.flatMap { engine.receive($0) }.map(\.automationID) == ["any", "yard", "any", "no", "gone", "gone"])
    }

    @Test("A late report fires with its own time, and an outage seen before its report still fires")
    func toldLate() {
        var engine = engine(rule([.refused(deviceID: nil)], id: "no"), rule([.offline(deviceID: "boiler")], id: "gone"))
        _ = engine.advance(to: event(5000, .presence(isHome: true)).at)
        let late = event(40, .command(.unlock, .failed, refusal: "expired"), device: "front-door")
        let firings = engine.receive(late)
        #expect(firings.map(\.occurredAt) == [late.at] && firings.allSatisfy { $0.at > late.at })
        // The house was read before the journal reached this point.
        engine.seed(device: "boiler", isUnreachable: false)
        engine.seed(device: "boiler", isUnreachable: true)
        #expect(engine.receive(event(6000, .deviceStatus(.offline), device: "boiler")).map(\.automationID) == ["gone"])
    }

    @Test("Conditions use the current state: entities, hours over midnight, weekdays, presence and combinations")
    func conditions() throws {
        let (ten, six) = (try #require(TimeOfDay("22:00")), try #require(TimeOfDay("06:00")))
        func fires(_ condition: AutomationCondition, at seconds: Double = 10, _ prepare: (inout AutomationEvaluator) -> Void = { _ in })
            -> Bool
        {
            var engine = engine(rule([unlocked], if: [condition]))
            prepare(&engine)
            return engine.receive(stateEvent(seconds, "unlocked")).contains { $0.verdict == .run }
        }
        // The start is Wednesday, 18 November 2026, 12:06 in Berlin.
        #expect(!fires(.time(from: ten, to: six)) && fires(.time(from: six, to: ten)))
        #expect(fires(.time(from: ten, to: six), at: 11 * 3600) && fires(.time(from: ten, to: six), at: 15 * 3600))
        #expect(fires(.weekdays([.wed])) && !fires(.weekdays([.thu, .fri])) && fires(.weekdays([.thu]), at: 15 * 3600))
        #expect(!fires(.home(anybody: true)) && !fires(.home(anybody: false)))
        #expect(fires(.home(anybody: true)) { $0.seed(person: "person:ada", isHome: true) })
        #expect(fires(.home(anybody: false)) { $0.seed(person: "person:ada", isHome: false) })
        let lit = AutomationCondition.state(entityID: "light.hall", value: "on")
        #expect(fires(lit) { $0.seed(entity: "light.hall", value: "on", since: start) })
        #expect(fires(.not(lit)) { $0.seed(entity: "light.hall", value: "off", since: start) })
        #expect(fires(.any([lit, .weekdays([.wed])])) && !fires(.all([lit, .weekdays([.wed])])))
    }

    @Test("Independent sources: entities of one integration count once, and so does presence")
    func independent() {
        let smoke = ["smoke.hall", "smoke.loft", "smoke.cellar"].map { AutomationCondition.state(entityID: $0, value: "on") }
        let wanted = AutomationCondition.independent(smoke + [.home(anybody: true)])
        let integrations = ["smoke.hall": "mqtt", "smoke.loft": "mqtt", "smoke.cellar": "home-assistant"]
        func fires(_ entities: [String], isHome: Bool = false) -> Bool {
            var engine = engine(rule([unlocked], if: [wanted]))
            engine.configure(in: berlin, residents: nil, integrations: integrations)
            for entity in entities { engine.seed(entity: entity, value: "on", since: start) }
            engine.seed(person: "person:ada", isHome: isHome)
            return engine.receive(stateEvent(10, "unlocked")).contains { $0.verdict == .run }
        }
        #expect(!fires([]) && !fires(["smoke.hall"]) && !fires(["smoke.hall", "smoke.loft"]) && !fires([], isHome: true))
        #expect(fires(["smoke.loft", "smoke.cellar"]) && fires(["smoke.hall"], isHome: true))
        #expect(wanted.lacksSources([:]) && !wanted.lacksSources(integrations))
        #expect(AutomationCondition.all([.not(.independent(Array(smoke.prefix(2))))]).lacksSources(integrations))
    }

    @Test("An automation runs at most every five seconds, and pauses for an hour after sixty runs, reporting it")
    func often() {
        var engine = engine(rule([unlocked]))
        var firings: [AutomationEvaluator.Activation] = []
        for turn in 0..<1000 {
            firings += engine.receive(stateEvent(Double(turn) * 2 + 1, turn.isMultiple(of: 2) ? "unlocked" : "locked"))
        }
        #expect(firings.prefix(60).allSatisfy { $0.verdict == .run } && firings.count == 61 && firings.last?.verdict == .tooOften)
        #expect(zip(firings, firings.dropFirst()).allSatisfy { $1.at.timeIntervalSince($0.at) >= AutomationEvaluator.minimumInterval })
        let after = (firings.last?.at.timeIntervalSince(start) ?? 0) + 3601
        #expect(engine.receive(stateEvent(after, "locked")).isEmpty)
        #expect(engine.receive(stateEvent(after + 10, "unlocked")).map(\.verdict) == [.run])
    }

    @Test("Two automations that trigger each other stop when the first is reached again")
    func loops() {
        var engine = engine(
            rule([unlocked], id: "a"), rule([.state(entityID: "lock.back", to: "locked", seconds: 0)], id: "b"))
        engine.seed(entity: "lock.back", value: "locked", since: start)

        let by = [
            engine.receive(stateEvent(10, "unlocked")), engine.receive(stateEvent(20, "locked", by: "automation:a:ada")),
            engine.receive(stateEvent(30, "unlocked", by: "automation:b:ada")),
        ].flatMap(\.self)

        #expect(by.map(\.automationID) == ["a", "b", "a"] && by.map(\.verdict) == [.run, .run, .loop])
        #expect(engine.receive(stateEvent(40, "locked")).map(\.verdict) == [.run], "somebody's own doing is no echo")
    }

    @Test("A long chain of automations that trigger each other is cut off")
    func rows() {
        let rules = (0..<8).map { rule([.state(entityID: "light.\($0)", to: "on", seconds: 0)], id: "r\($0)") }
        var engine = AutomationEvaluator(zone: berlin, at: start)
        engine.set(rules)
        let firings = (0..<8).flatMap { place in
            engine.receive(
                stateEvent(Double(place) * 10 + 10, "on", entity: "light.\(place)", by: place == 0 ? nil : "automation:r\(place - 1):ada"))
        }
        #expect(firings.prefix(4).allSatisfy { $0.verdict == .run } && firings.dropFirst(4).first?.verdict == .loop)
    }

    @Test("The same events give the same runs, however polls are spaced")
    func replay() {
        var dice = SeededGenerator.forTest(1)
        for _ in 0..<30 {
            let rules = [
                rule([unlocked], id: "edge"), rule([.state(entityID: "lock.back", to: "unlocked", seconds: 90)], id: "lasting"),
                rule([.presence(.lastLeaves)], if: [.not(.state(entityID: "lock.back", value: "locked"))], id: "last"),
                rule([.time(at: TimeOfDay(minutes: 725) ?? .init(midnight: ()), weekdays: Set(Weekday.allCases))], id: "noon"),
            ]
            var at = 0.0
            let stream = (0..<300).map { _ -> HouseEvent in
                at += Double.random(in: 1...120, using: &dice)
                return Bool.random(using: &dice)
                    ? stateEvent(at, ["locked", "unlocked", "jammed"].randomElement(using: &dice) ?? "")
                    : presenceEvent(at, ["ada", "bea"].randomElement(using: &dice) ?? "", Bool.random(using: &dice))
            }
            var (whole, looked) = (AutomationEvaluator(zone: berlin, at: start), AutomationEvaluator(zone: berlin, at: start))
            whole.set(rules)
            looked.set(rules)
            let once = stream.flatMap { whole.receive($0) }
            let often = stream.flatMap { event in
                let before = looked.clock
                let look = before.addingTimeInterval(event.at.timeIntervalSince(before) * Double.random(in: 0...1, using: &dice))
                return looked.advance(to: look) + looked.receive(event)
            }
            #expect(once == often && !once.isEmpty, "seed \(dice.seed)")
        }
    }
}

extension TimeOfDay {
    fileprivate init(midnight: Void) {
        guard let time = TimeOfDay(minutes: 0) else { preconditionFailure("every day begins at midnight") }
        self = time
    }
}
