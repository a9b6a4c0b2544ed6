import CardeaAPI
import CardeaModel
import Foundation
import Testing

@testable import cardea

@Suite("Automations in the terminal")
struct AutomationTextTests {
    private let words = AutomationText(names: ["front-door": "Front door", "hall-light": "Hall light"])
    private let start = Date(timeIntervalSince1970: 1_795_269_600)

    @Test(
        "A trigger is parsed from a short text",
        arguments: [
            ("last-leaves", "the last person leaves"), ("first-arrives", "the first person comes home"), ("22:30", "22:30 on sat, sun"),
            ("lock.front_door=unlocked", "lock.front_door is unlocked for 60 s"), ("sensor.hall>25.5", "sensor.hall rises above 25.5"),
            ("sensor.hall<-3", "sensor.hall falls below -3"),
        ])
    func typed(argument: String, said: String) throws {
        let trigger = try #require(ParsedTrigger(argument: argument)).trigger(on: [.sat, .sun], seconds: 60)

        #expect(words.trigger(trigger) == said)
    }

    @Test("An invalid trigger is refused", arguments: ["", "leaves", "25:00", "=x", "lock.front_door=", "sensor.hall>warm"])
    func wrong(argument: String) {
        #expect(ParsedTrigger(argument: argument) == nil)
        #expect(ParsedDays(argument: argument) == nil)
    }

    @Test("Actions and conditions are formatted as a sentence")
    func sentences() throws {
        let (ten, six) = (try #require(TimeOfDay("22:00")), try #require(TimeOfDay("06:00")))
        let condition = AutomationCondition.all([
            .any([.time(from: ten, to: six), .weekdays([.sun, .mon])]), .not(.home(anybody: true)), .home(anybody: false),
            .independent([.state(entityID: "light.hall", value: "on"), .home(anybody: true)]),
        ])

        #expect(
            words.condition(condition)
                == """
                ((it is between 22:00 and 06:00 or it is mon, sun) and not (somebody is home) and nobody is home and two \
                independent sources confirm (light.hall is on, somebody is home))
                """
        )
        let actions: [AutomationAction] = [
            .control(DeviceAction(deviceID: "hall-light", verb: .setBrightness, value: 30)), .scene(id: "scene_1"),
            .notify(words: "Bye.", to: .owner), .notify(words: "Bye.", to: .residents),
        ]
        #expect(
            actions.map(words.action) == [
                "Hall light set_brightness 30", "runs scene_1", "notifies its owner: Bye.", "notifies everybody: Bye.",
            ])
        let triggers: [AutomationTrigger] = [
            .presence(.leaves("person_1")), .presence(.arrives("person_1")), .seen(eventType: "person", cameraID: "yard"),
            .seen(eventType: "ring", cameraID: nil), .refused(deviceID: "front-door"), .refused(deviceID: nil),
            .offline(deviceID: "hall-light"),
        ]
        #expect(
            triggers.map(words.trigger) == [
                "person_1 leaves", "person_1 comes home", "person is seen by yard", "ring is seen", "access is refused at Front door",
                "access is refused", "Hall light cannot be reached",
            ])
    }

    @Test("A run lists the result of each action, and a dry run is marked as such")
    func runs() {
        func run(
            _ result: AutomationRun.Result, dry: Bool = false, unknown: [String] = [], _ outcomes: AutomationRun.Outcome...
        ) -> String {
            words.run(
                AutomationRunAnswer(
                    AutomationRun(
                        id: "1", automationID: "a", at: start, trigger: 0, event: nil, result: result, isDry: dry, outcomes: outcomes,
                        unknown: unknown)))
        }
        let locked = AutomationRun.Outcome(.control, deviceID: "front-door", verb: .lock, status: "confirmed")
        let refused = AutomationRun.Outcome(.control, deviceID: "cellar", verb: .lock, status: "refused", reason: "no_grant")

        #expect(
            run(.ran, locked, refused, .init(.notify, status: "told"))
                == "ran: Front door lock confirmed, cellar lock refused (no_grant), notify told")
        #expect(run(.ran, dry: true, .init(.control, deviceID: "front-door", verb: .lock, status: "would")) == "would run: Front door lock")
        #expect(run(.loop) == "stopped: it triggered itself" && run(.late) == "too late; did nothing")
        #expect(
            run(.notKnown, unknown: ["alarm.house", "lock.back"])
                == "did nothing: the state of alarm.house and lock.back is unknown")
        #expect(run(.notKnown, unknown: ["lock.back"]) == "did nothing: the state of lock.back is unknown")
        #expect(run(.notKnown) == "did nothing: presence is unknown")
        #expect(run(.tooOften) == "paused: it ran too often" && run(.tried, dry: true) == "test run")
    }

    @Test("A disabled automation shows the hub's reason")
    func status() {
        var automation = Automation(
            id: "a", name: "Out", owner: "p", triggers: [.presence(.lastLeaves)], actions: [.notify(words: "x", to: .owner)],
            createdAt: start, changedAt: start)
        #expect(AutomationText.status(AutomationAnswer(automation)) == "on")
        automation.isOn = false
        #expect(AutomationText.status(AutomationAnswer(automation)) == "off")
        automation.offBecause = .ownerLeft
        #expect(AutomationText.status(AutomationAnswer(automation)) == "off: its owner no longer lives here")
        #expect(words.triggers(AutomationAnswer(automation)) == "the last person leaves")
        (automation.offBecause, automation.triggers) = (.personLeft, [])
        #expect(AutomationText.status(AutomationAnswer(automation)) == "off: the person in its trigger no longer lives here")
        #expect(words.triggers(AutomationAnswer(automation)) == "never")
    }
}
