import CardeaAutomations
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Automations and unknown device states")
struct AutomationUnknownStateTests {
    private let start = Date(timeIntervalSince1970: 1_795_000_000)
    private let alarm = AutomationCondition.state(entityID: "alarm.house", value: "disarmed")
    private let door = AutomationCondition.state(entityID: "lock.back", value: "locked")
    private let always = AutomationCondition.weekdays(Set(Weekday.allCases))
    private let never = AutomationCondition.weekdays([])

    private func engine(
        _ trigger: AutomationTrigger = .state(entityID: "event.button", to: "single", seconds: 0), if conditions: AutomationCondition...
    ) -> AutomationEvaluator {
        var engine = AutomationEvaluator(zone: .gmt, at: start)
        engine.configure(
            in: .gmt, residents: nil, integrations: ["alarm.house": "mqtt", "lock.back": "home-assistant"],
            entities: ["alarm": ["alarm.house"], "back-door": ["lock.back", "sensor.back"], "button": ["event.button"]])
        engine.set([
            Automation(
                id: "one", name: "one", owner: "ada", triggers: [trigger], conditions: conditions,
                actions: [.control(DeviceAction(deviceID: "front-door", verb: .unlock))], createdAt: start, changedAt: start)
        ])
        engine.seed(entity: "alarm.house", value: "disarmed", since: start)
        engine.seed(entity: "lock.back", value: "unlocked", since: start)
        return engine
    }

    private func at(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    private func event(
        _ seconds: Double, _ fact: HouseEvent.Fact, entity: String? = nil, device: String? = nil, report: StateReportKind? = nil
    )
        -> HouseEvent
    {
        HouseEvent(id: "happening_\(Int(seconds))", at: at(seconds), deviceID: device, entityID: entity, fact: fact, report: report)
    }

    private func pressEvent(_ seconds: Double) -> HouseEvent { event(seconds, .state("single"), entity: "event.button", report: .press) }

    @Test("A condition on an unreachable device is unknown, also negated, and the run names the entity")
    func neither() {
        for status in [DeviceStatus.unknown, .offline] {
            for condition in [alarm, .not(alarm)] {
                var engine = engine(if: condition)
                _ = engine.receive(event(10, .deviceStatus(status), device: "alarm"))

                let firings = engine.receive(pressEvent(20))

                #expect(firings.map(\.verdict) == [.notKnown] && firings.first?.unknown == ["alarm.house"])
            }
        }
        var broken = engine(if: alarm)
        _ = broken.receive(event(10, .deviceStatus(.error), device: "alarm"))
        #expect(broken.receive(pressEvent(20)).map(\.verdict) == [.run], "in trouble, and in reach")
    }

    @Test("Known conditions decide where they can: a false one in `all`, a true one in `any`")
    func several() {
        func verdict(_ conditions: AutomationCondition...) -> AutomationEvaluator.Activation.Verdict? {
            var engine = engine(if: .all(conditions))
            _ = engine.receive(event(10, .deviceStatus(.unknown), device: "alarm"))
            return engine.receive(pressEvent(20)).first?.verdict
        }
        #expect(verdict(alarm, never) == nil && verdict(alarm, always) == .notKnown)
        #expect(verdict(.any([alarm, always])) == .run && verdict(.any([alarm, never])) == .notKnown)
        #expect(verdict(.not(.all([alarm, never]))) == .run && verdict(.not(.any([alarm, always]))) == nil)
        #expect(verdict(.any([.all([alarm, never]), .not(.not(door))])) == nil)
        let two = AutomationCondition.independent([alarm, .state(entityID: "lock.back", value: "unlocked")])
        #expect(verdict(two) == .notKnown && verdict(.independent([alarm, door])) == nil)
    }

    @Test("Presence without reports and an entity without a state are unknown")
    func neverSaid() {
        for condition in [AutomationCondition.home(anybody: true), .home(anybody: false), .not(.home(anybody: true))] {
            var engine = engine(if: condition)
            let firings = engine.receive(pressEvent(10))
            #expect(firings.map(\.verdict) == [.notKnown] && firings.first?.unknown == [])
        }
        var engine = engine(if: .not(.state(entityID: "light.hall", value: "on")))
        #expect(engine.receive(pressEvent(10)).first?.unknown == ["light.hall"])
    }

    @Test("A returning device counts once its state is known, not once it is reachable")
    func back() {
        var engine = engine(if: alarm)
        _ = engine.receive(event(10, .deviceStatus(.unknown), device: "alarm"))
        _ = engine.receive(event(20, .deviceStatus(.online), device: "alarm"))
        #expect(engine.receive(pressEvent(30)).map(\.verdict) == [.notKnown])
        engine.reconcile("alarm.house", value: "unknown", at: at(35))
        #expect(engine.receive(pressEvent(40)).map(\.verdict) == [.notKnown])
        // A value other than the last known one counts from the moment it is seen.
        engine.reconcile("alarm.house", value: "armed_away", at: at(45))
        #expect(engine.receive(pressEvent(50)).isEmpty)
        _ = engine.receive(event(55, .state("disarmed"), entity: "alarm.house", device: "alarm"))
        #expect(engine.receive(pressEvent(60)).map(\.verdict) == [.run])
    }

    @Test("A state seen after an outage fires once, with its report; without a report it does not fire")
    func seenFirst() {
        let opens = AutomationTrigger.state(entityID: "lock.back", to: "open", seconds: 0)
        var engine = engine(opens)
        _ = engine.receive(event(10, .deviceStatus(.unknown), device: "back-door"))
        engine.reconcile("lock.back", value: "open", at: at(20))
        #expect(engine.receive(event(19, .state("open"), entity: "lock.back", device: "back-door")).count == 1)
        #expect(engine.receive(event(19, .state("open"), entity: "lock.back", device: "back-door")).isEmpty)

        _ = engine.receive(event(30, .deviceStatus(.unknown), device: "back-door"))
        engine.reconcile("lock.back", value: "locked", at: at(40))
        #expect(engine.receive(event(50, .state("open"), entity: "lock.back", device: "back-door")).count == 1)
    }

    @Test("A device offline before a connection loss does not fire offline again")
    func stillOffline() {
        var engine = engine(.offline(deviceID: "alarm"))
        #expect(engine.receive(event(10, .deviceStatus(.offline), device: "alarm")).count == 1)
        _ = engine.receive(event(20, .deviceStatus(.unknown), device: "alarm"))
        #expect(engine.receive(event(30, .deviceStatus(.offline), device: "alarm")).isEmpty)
        _ = engine.receive(event(40, .deviceStatus(.online), device: "alarm"))
        #expect(engine.receive(event(50, .deviceStatus(.offline), device: "alarm")).count == 1)
    }

    @Test("After start a stored state is unknown until reported")
    func afterStart() {
        var engine = engine(if: alarm)
        engine.reconcile("alarm.house", value: "unknown", at: start)
        #expect(engine.receive(pressEvent(10)).map(\.verdict) == [.notKnown])
        #expect(engine.receive(event(20, .state("disarmed"), entity: "alarm.house", device: "alarm", report: .kept)).isEmpty)
        #expect(engine.receive(pressEvent(30)).map(\.verdict) == [.run])
    }

    @Test("A duration trigger does not fire during an outage, and restarts its time afterwards")
    func held() {
        let stays = AutomationTrigger.state(entityID: "lock.back", to: "open", seconds: 600)
        var engine = engine(stays)
        _ = engine.receive(event(10, .state("open"), entity: "lock.back", device: "back-door"))
        _ = engine.receive(event(300, .deviceStatus(.unknown), device: "back-door"))
        #expect(engine.advance(to: at(5000)).isEmpty && engine.nextDeadline(before: .distantFuture) == nil)

        _ = engine.receive(event(5010, .deviceStatus(.online), device: "back-door"))
        engine.reconcile("lock.back", value: "open", at: at(5010))

        #expect(engine.nextDeadline(before: .distantFuture) == at(5610))
        let firings = engine.advance(to: at(6000))
        #expect(firings.map(\.at) == [at(5610)] && firings.map(\.occurredAt) == [at(5610)] && firings.first?.eventID == "happening_10")
        #expect(engine.advance(to: at(9000)).isEmpty)
    }

    @Test("A duration trigger that fired does not fire again after an outage unless the state changed")
    func returns() {
        let stays = AutomationTrigger.state(entityID: "lock.back", to: "open", seconds: 60)
        var engine = engine(stays)
        _ = engine.receive(event(10, .state("open"), entity: "lock.back", device: "back-door"))
        #expect(engine.advance(to: at(100)).count == 1)
        _ = engine.receive(event(110, .deviceStatus(.unknown), device: "back-door"))
        engine.reconcile("lock.back", value: "open", at: at(120))
        #expect(engine.advance(to: at(500)).isEmpty)

        _ = engine.receive(event(510, .deviceStatus(.unknown), device: "back-door"))
        _ = engine.receive(event(520, .state("locked"), entity: "lock.back", device: "back-door", report: .kept))
        _ = engine.receive(event(530, .state("open"), entity: "lock.back", device: "back-door"))
        #expect(engine.advance(to: at(700)).map(\.at) == [at(590)])
    }

    @Test("A return to the previous state and a change in a retained message fire nothing")
    func edge() {
        let opens = AutomationTrigger.state(entityID: "lock.back", to: "open", seconds: 0)
        var engine = engine(opens)
        #expect(engine.receive(event(10, .state("open"), entity: "lock.back", device: "back-door")).count == 1)
        _ = engine.receive(event(20, .deviceStatus(.unknown), device: "back-door"))
        #expect(engine.receive(event(30, .state("open"), entity: "lock.back", device: "back-door", report: .kept)).isEmpty)
        _ = engine.receive(event(40, .deviceStatus(.unknown), device: "back-door"))
        #expect(engine.receive(event(50, .state("locked"), entity: "lock.back", device: "back-door", report: .kept)).isEmpty)
        #expect(engine.receive(event(60, .state("open"), entity: "lock.back", device: "back-door", report: .kept)).isEmpty)
    }

    @Test("The first value after a gap fires if it is beyond the threshold and the last one was not")
    func numbers() {
        var engine = engine(.number(entityID: "sensor.back", .above(25)))
        #expect(engine.observe("sensor.back", value: "20", at: at(10)).isEmpty)
        _ = engine.receive(event(20, .deviceStatus(.unknown), device: "back-door"))
        engine.reconcile("sensor.back", value: "unknown", at: at(20))
        #expect(engine.observe("sensor.back", value: "20", at: at(30)).isEmpty)
        _ = engine.receive(event(40, .deviceStatus(.unknown), device: "back-door"))
        #expect(engine.observe("sensor.back", value: "26", at: at(50)).count == 1)
    }

    @Test("Unknown runs are recorded at most sixty times an hour, and do not block known runs")
    func bounded() {
        var engine = engine(if: alarm)
        _ = engine.receive(event(10, .deviceStatus(.unknown), device: "alarm"))
        let firings = (0..<200).flatMap { engine.receive(pressEvent(20 + Double($0) * 6)) }
        #expect(firings.count == AutomationEvaluator.maximumRunsPerHour && firings.allSatisfy { $0.verdict == .notKnown })
        engine.reconcile("alarm.house", value: "disarmed", at: at(1220))
        #expect(engine.receive(pressEvent(1221)).map(\.verdict) == [.run])
    }

    @Test("With any outages a condition uses the last reported state while the device is reachable")
    func anyOrder() {
        var dice = SeededGenerator.forTest(34)
        for _ in 0..<50 {
            var engine = engine(if: alarm)
            var (said, isThere) = ("disarmed", true)
            for turn in 1...200 {
                let moment = Double(turn) * 70
                switch Int.random(in: 0..<5, using: &dice) {
                case 0:
                    isThere = false
                    _ = engine.receive(event(moment, .deviceStatus(.unknown), device: "alarm"))
                case 1:
                    if !isThere { _ = engine.receive(event(moment, .deviceStatus(.online), device: "alarm")) }
                    isThere = true
                    engine.reconcile("alarm.house", value: said, at: at(moment))
                case 2:
                    said = Bool.random(using: &dice) ? "disarmed" : "armed_away"
                    isThere = true
                    _ = engine.receive(event(moment, .state(said), entity: "alarm.house", device: "alarm"))
                default:
                    let verdicts = engine.receive(pressEvent(moment)).map(\.verdict)
                    let expected: [AutomationEvaluator.Activation.Verdict] = !isThere ? [.notKnown] : said == "disarmed" ? [.run] : []
                    #expect(verdicts == expected, "seed \(dice.seed)")
                }
            }
        }
    }
}
