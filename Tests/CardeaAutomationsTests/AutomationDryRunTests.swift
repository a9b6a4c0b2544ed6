@testable import CardeaAutomations
import CardeaModel
import Foundation
import Testing

@Suite("Dry run over past events")
struct AutomationDryRunTests {
    // Each fall through the limit once counted as a rise: 47 times instead of 31.
    @Test(
        "A threshold crossed daily for a month fires as often, from hourly readings", arguments: [true, false])
    func crossings(isAbove: Bool) {
        let start = Date(timeIntervalSince1970: 1_796_083_200)
        let crossing: AutomationTrigger = .number(entityID: "sensor.hall", isAbove ? .above(21) : .below(21))
        let automation = Automation(
            id: "warm", name: "warm", owner: "ada", triggers: [crossing], actions: [.control(DeviceAction(deviceID: "fan", verb: .on))],
            createdAt: start, changedAt: start)
        func value(_ minute: Int) -> Double { 21 + 2 * sin((Double(minute) / 1440 - 0.2) * 2 * .pi) }
        let hours = (0..<31 * 24).compactMap { number in
            let hour = start + Double(number) * 3600
            return HourlyReading(
                stride(from: 0, to: 60, by: 10).map { Reading(at: hour + Double($0) * 60, value: value(number * 60 + $0)) }, in: hour)
        }

        let trial = AutomationDryRun(
            of: automation, from: start, to: start + 31 * 86_400, zone: .gmt, beginning: .init(states: [("sensor.hall", "\(value(-1))")]),
            past: hours.flatMap { AutomationDryRun.readings(of: $0, "sensor.hall") })

        #expect(trial.runs.count == 31)
    }

    @Test("In a dry run a lost device's states are known again once any of its entities reports", arguments: [true, false])
    func back(reports: Bool) {
        let start = Date(timeIntervalSince1970: 1_796_083_200)
        let automation = Automation(
            id: "one", name: "one", owner: "ada", triggers: [.state(entityID: "event.button", to: "single", seconds: 0)],
            conditions: [.state(entityID: "lock.back", value: "locked")],
            actions: [.control(DeviceAction(deviceID: "fan", verb: .on))], createdAt: start, changedAt: start)
        func told(_ seconds: Double, _ fact: HouseEvent.Fact, _ entity: String?, _ report: StateReportKind? = nil)
            -> AutomationDryRun.PastEvent
        {
            let device = entity == "event.button" ? "button" : "back-door"
            return .event(
                HouseEvent(
                    id: "happening_\(Int(seconds))", at: start + seconds, deviceID: device, entityID: entity, fact: fact, report: report))
        }
        var past = [told(10, .deviceStatus(.unknown), nil), told(30, .state("single"), "event.button", .press)]
        if reports { past.insert(told(20, .state("on"), "binary_sensor.back"), at: 1) }

        let trial = AutomationDryRun(
            of: automation, from: start, to: start + 60, zone: .gmt,
            beginning: .init(
                states: [("lock.back", "locked")],
                entities: ["back-door": ["lock.back", "binary_sensor.back"], "button": ["event.button"]]),
            past: past)

        #expect(trial.runs.map(\.result) == [reports ? .ran : .notKnown])
    }
}
