import CardeaAutomations
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("An automation does nothing on the word of a device that is away")
struct AutomationUnknownStateTests {
    private let start = Date(timeIntervalSince1970: 1_795_000_000)
    private let alarm = AutomationCondition.state(entityID: "alarm.house", value: "disarmed")
    private let door = AutomationCondition.state(entityID: "lock.back", value: "locked")
    private let always = AutomationCondition.weekdays(Set(Weekday.allCases))
    private let never = AutomationCondition.weekdays([])

    private func engine(
        _ trigger: AutomationTrigger = .state(entityID: "event.button", to: "single", seconds: 0), if conditions: AutomationCondition...
    ) -> AutomationEngine {
        var engine = AutomationEngine(zone: .gmt, at: start)
        engine.configure(
            in: .gmt, residents: nil, integrations: ["alarm.house": "mqtt", "lock.back": "home-assistant"],
            entities: ["alarm": ["alarm.house"], "back-door": ["lock.back", "sensor.back"], "button": ["event.button"]])
        engine.set([
            Automation(
                id: "one", name: "one", owner: "ada", triggers: [trigger], conditions: conditions,
                actions: [.control(DeviceAction(deviceID: "front-door", verb: .unlock))], createdAt: start, changedAt: start)
        ])
        engine.seed(entity: "alarm.house", says: "disarmed", since: start)
        engine.seed(entity: "lock.back", says: "unlocked", since: start)
        return engine
    }

    private func at(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    private func event(_ seconds: Double, _ fact: HouseEvent.Fact, entity: String? = nil, device: String? = nil, report: ReportKind? = nil)
        -> HouseEvent
    {
        HouseEvent(id: "happening_\(Int(seconds))", at: at(seconds), deviceID: device, entityID: entity, fact: fact, report: report)
    }

    private func pressEvent(_ seconds: Double) -> HouseEvent { event(seconds, .state("single"), entity: "event.button", report: .press) }

    @Test("A condition on a device that is away holds neither as it stands nor negated, and the run names the entity")
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

    @Test("What is known decides where it can: one that is false of all, one that is true of any")
    func several() {
        func verdict(_ conditions: AutomationCondition...) -> AutomationEngine.Activation.Verdict? {
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

    @Test("Who is home where nobody said, and an entity that has never said anything, are not known either")
    func neverSaid() {
        for condition in [AutomationCondition.home(anybody: true), .home(anybody: false), .not(.home(anybody: true))] {
            var engine = engine(if: condition)
            let firings = engine.receive(pressEvent(10))
            #expect(firings.map(\.verdict) == [.notKnown] && firings.first?.unknown == [])
        }
        var engine = engine(if: .not(.state(entityID: "light.hall", value: "on")))
        #expect(engine.receive(pressEvent(10)).first?.unknown == ["light.hall"])
    }

    @Test("A device that is back counts once the house sees what it says, and not by being in reach")
    func back() {
        var engine = engine(if: alarm)
        _ = engine.receive(event(10, .deviceStatus(.unknown), device: "alarm"))
        _ = engine.receive(event(20, .deviceStatus(.online), device: "alarm"))
        #expect(engine.receive(pressEvent(30)).map(\.verdict) == [.notKnown])
        engine.reconcile("alarm.house", says: "unknown", at: at(35))
        #expect(engine.receive(pressEvent(40)).map(\.verdict) == [.notKnown])
        // What it says otherwise than before counts as it is seen.
        engine.reconcile("alarm.house", says: "armed_away", at: at(45))
        #expect(engine.receive(pressEvent(50)).isEmpty)
        _ = engine.receive(event(55, .state("disarmed"), entity: "alarm.house", device: "alarm"))
        #expect(engine.receive(pressEvent(60)).map(\.verdict) == [.run])
    }

    @Test("What is seen otherwise after a silence fires once it is told, and once only; what is never told fires nothing")
    func seenFirst() {
        let opens = AutomationTrigger.state(entityID: "lock.back", to: "open", seconds: 0)
        var engine = engine(opens)
        _ = engine.receive(event(10, .deviceStatus(.unknown), device: "back-door"))
        engine.reconcile("lock.back", says: "open", at: at(20))
        #expect(engine.receive(event(19, .state("open"), entity: "lock.back", device: "back-door")).count == 1)
        #expect(engine.receive(event(19, .state("open"), entity: "lock.back", device: "back-door")).isEmpty)

        _ = engine.receive(event(30, .deviceStatus(.unknown), device: "back-door"))
        engine.reconcile("lock.back", says: "locked", at: at(40))
        #expect(engine.receive(event(50, .state("open"), entity: "lock.back", device: "back-door")).count == 1)
    }

    @Test("A device that was offline before its connection was lost does not go offline once more by being found so")
    func stillOffline() {
        var engine = engine(.offline(deviceID: "alarm"))
        #expect(engine.receive(event(10, .deviceStatus(.offline), device: "alarm")).count == 1)
        _ = engine.receive(event(20, .deviceStatus(.unknown), device: "alarm"))
        #expect(engine.receive(event(30, .deviceStatus(.offline), device: "alarm")).isEmpty)
        _ = engine.receive(event(40, .deviceStatus(.online), device: "alarm"))
        #expect(engine.receive(event(50, .deviceStatus(.offline), device: "alarm")).count == 1)
    }

    @Test("After a start the house does not know what was remembered to be so until it is reported")
    func afterStart() {
        var engine = engine(if: alarm)
        engine.reconcile("alarm.house", says: "unknown", at: start)
        #expect(engine.receive(pressEvent(10)).map(\.verdict) == [.notKnown])
        #expect(engine.receive(event(20, .state("disarmed"), entity: "alarm.house", device: "alarm", report: .kept)).isEmpty)
        #expect(engine.receive(pressEvent(30)).map(\.verdict) == [.run])
    }

    @Test("What has to stay so for a time does not fire while its device is away; back as it was, the time counts from then")
    func held() {
        let stays = AutomationTrigger.state(entityID: "lock.back", to: "open", seconds: 600)
        var engine = engine(stays)
        _ = engine.receive(event(10, .state("open"), entity: "lock.back", device: "back-door"))
        _ = engine.receive(event(300, .deviceStatus(.unknown), device: "back-door"))
        #expect(engine.advance(to: at(5000)).isEmpty && engine.nextDeadline(before: .distantFuture) == nil)

        _ = engine.receive(event(5010, .deviceStatus(.online), device: "back-door"))
        engine.reconcile("lock.back", says: "open", at: at(5010))

        #expect(engine.nextDeadline(before: .distantFuture) == at(5610))
        let firings = engine.advance(to: at(6000))
        #expect(firings.map(\.at) == [at(5610)] && firings.map(\.occurredAt) == [at(5610)] && firings.first?.eventID == "happening_10")
        #expect(engine.advance(to: at(9000)).isEmpty)
    }

    @Test("What had fired before its device went away does not fire again by its return; another word begins anew")
    func returns() {
        let stays = AutomationTrigger.state(entityID: "lock.back", to: "open", seconds: 60)
        var engine = engine(stays)
        _ = engine.receive(event(10, .state("open"), entity: "lock.back", device: "back-door"))
        #expect(engine.advance(to: at(100)).count == 1)
        _ = engine.receive(event(110, .deviceStatus(.unknown), device: "back-door"))
        engine.reconcile("lock.back", says: "open", at: at(120))
        #expect(engine.advance(to: at(500)).isEmpty)

        _ = engine.receive(event(510, .deviceStatus(.unknown), device: "back-door"))
        _ = engine.receive(event(520, .state("locked"), entity: "lock.back", device: "back-door", report: .kept))
        _ = engine.receive(event(530, .state("open"), entity: "lock.back", device: "back-door"))
        #expect(engine.advance(to: at(700)).map(\.at) == [at(590)])
    }

    @Test("A return to the word before is no event, and a change found late is nobody's doing now")
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

    @Test("The first number after a gap fires where it lies beyond the bound and the last before it did not")
    func numbers() {
        var engine = engine(.number(entityID: "sensor.back", .above(25)))
        #expect(engine.observe("sensor.back", says: "20", at: at(10)).isEmpty)
        _ = engine.receive(event(20, .deviceStatus(.unknown), device: "back-door"))
        engine.reconcile("sensor.back", says: "unknown", at: at(20))
        #expect(engine.observe("sensor.back", says: "20", at: at(30)).isEmpty)
        _ = engine.receive(event(40, .deviceStatus(.unknown), device: "back-door"))
        #expect(engine.observe("sensor.back", says: "26", at: at(50)).count == 1)
    }

    @Test("Runs that were not known to be meant are noted sixty times an hour at most, and keep none from running that is")
    func bounded() {
        var engine = engine(if: alarm)
        _ = engine.receive(event(10, .deviceStatus(.unknown), device: "alarm"))
        let firings = (0..<200).flatMap { engine.receive(pressEvent(20 + Double($0) * 6)) }
        #expect(firings.count == AutomationEngine.maximumRunsPerHour && firings.allSatisfy { $0.verdict == .notKnown })
        engine.reconcile("alarm.house", says: "disarmed", at: at(1220))
        #expect(engine.receive(pressEvent(1221)).map(\.verdict) == [.run])
    }

    @Test("However a device comes and goes, its word counts while it is there, as it said it last")
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
                    engine.reconcile("alarm.house", says: said, at: at(moment))
                case 2:
                    said = Bool.random(using: &dice) ? "disarmed" : "armed_away"
                    isThere = true
                    _ = engine.receive(event(moment, .state(said), entity: "alarm.house", device: "alarm"))
                default:
                    let verdicts = engine.receive(pressEvent(moment)).map(\.verdict)
                    let expected: [AutomationEngine.Activation.Verdict] = !isThere ? [.notKnown] : said == "disarmed" ? [.run] : []
                    #expect(verdicts == expected, "seed \(dice.seed)")
                }
            }
        }
    }
}
