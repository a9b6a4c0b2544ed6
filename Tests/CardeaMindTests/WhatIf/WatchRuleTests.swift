@testable import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Watch rule over past events")
struct WatchRuleTests {
    private static let zone = GeneratedAccessMonth.zone
    /// Midnight in Berlin.
    private static let start = GeneratedAccessMonth.start

    private func said(_ word: String, at hours: Double, entity: String = "cover.garage") -> HouseEvent {
        HouseEvent(
            id: "happening_\(Int(hours * 1000))", at: Self.start + hours * 3600, deviceID: "garage", entityID: entity, fact: .state(word))
    }

    private func rule(_ minutes: Double, _ from: String? = nil, _ to: String? = nil) -> WatchRule {
        WatchRule(
            entityID: "cover.garage", words: ["open"], longerThan: minutes * 60,
            between: from.flatMap { from in to.map { QuietHours(from: GeneratedAccessMonth.time(from), to: GeneratedAccessMonth.time($0)) }
            })
    }

    private func hours(_ rule: WatchRule, _ events: [HouseEvent], to end: Double = 48) -> [Double] {
        rule.notices(in: events, from: Self.start, to: Self.start + end * 3600, zone: Self.zone)
            .map { $0.at.timeIntervalSince(Self.start) / 3600 }
    }

    @Test("A notification is raised once after the full duration, and not if the state ended before")
    func longEnough() {
        let day = [said("open", at: 10), said("closed", at: 10.1), said("open", at: 12), said("open", at: 12.3), said("closed", at: 14)]
        #expect(hours(rule(30), day) == [12.5])
        #expect(hours(rule(3), day) == [10.05, 12.05])
        #expect(hours(rule(120), day) == [])
        #expect(hours(rule(0), [said("open", at: 47)]) == [47])
        #expect(hours(rule(.infinity), day) == [])
    }

    @Test("A state from before the hours is noticed when they begin, also over midnight")
    func atNight() {
        let night = [said("open", at: 20), said("closed", at: 31), said("open", at: 33)]
        #expect(hours(rule(10, "22:00", "06:00"), night) == [22, 46])
        #expect(hours(rule(10, "22:00", "06:00"), night, to: 40) == [22])
        #expect(hours(rule(10), [said("open", at: -3)]) == [])
        #expect(hours(rule(10, "01:00", "02:00"), [said("open", at: -3)]) == [1])
    }

    @Test("A night with a clock change has its real length")
    func clocks() {
        // On 2026-03-29, 02:00 is 03:00.
        let before = Double(15 * 24)
        #expect(hours(rule(90, "02:30", "05:00"), [said("open", at: before)], to: before + 24) == [before + 2])
    }

    @Test("A notification during an outage is marked as unsure")
    func unsure() {
        let gone = HouseEvent(id: "happening_x", at: Self.start + 36_000 + 60, deviceID: "garage", fact: .deviceStatus(.offline))
        let notices = rule(30).notices(
            in: [said("open", at: 10), gone, said("closed", at: 12)], from: Self.start, to: Self.start + 86_400, zone: Self.zone)
        #expect(notices.map(\.isSure) == [false])
    }

    @Test("Comparing two rules lists exactly the missed and added notifications")
    func compared() {
        var dice = SeededHouseGenerator(TestSeed.value(21))
        var (at, events, spans) = (0.0, [HouseEvent](), [(Double, Double)]())
        for _ in 0..<300 {
            at += Double.random(in: 0.1...3, using: &dice)
            let length = Double.random(in: 0.05...2, using: &dice)
            events += [said("open", at: at), said("closed", at: at + length)]
            spans.append((at, length))
            at += length
        }
        let result = WatchRule.compare(
            .rules([rule(20)]), with: rule(40), in: events.shuffled(using: &dice), from: Self.start, to: Self.start + 2000 * 3600,
            zone: Self.zone
        )

        #expect(result.missed.count == spans.count { $0.1 > 20.0 / 60 && $0.1 <= 40.0 / 60 }, "seed \(dice.seed)")
        #expect(result.kept.count == spans.count { $0.1 > 40.0 / 60 }, "seed \(dice.seed)")
        #expect(result.added.isEmpty, "seed \(dice.seed)")
        func compared(_ former: WatchRule.Baseline, _ other: WatchRule?) -> WatchRule.Comparison {
            WatchRule.compare(former, with: other, in: events, from: Self.start, to: Self.start + 2000 * 3600, zone: Self.zone)
        }
        let none = compared(.nothing, rule(40))
        #expect(none.added.count == result.kept.count && none.missed.isEmpty)
        // With two of them reporting one period, one notification is missed.
        let two = compared(.rules([rule(40), rule(20)]), nil)
        #expect(two.missed.count == result.missed.count + result.kept.count && two.kept.isEmpty && two.added.isEmpty)
    }

    @Test("The baseline is an enabled notification on a state's duration; one with conditions is not compared")
    func former() {
        func automation(_ trigger: AutomationTrigger, _ conditions: [AutomationCondition] = [], isOn: Bool = true, tells: Bool = true)
            -> Automation
        {
            let action: AutomationAction = tells ? .notify(words: "It stands open.", to: .owner) : .scene(id: "evening")
            return Automation(
                id: "a", name: "A", owner: "ada", isOn: isOn, triggers: [trigger], conditions: conditions, actions: [action],
                createdAt: Self.start, changedAt: Self.start)
        }
        func former(_ automations: Automation...) -> WatchRule.Baseline { WatchRule.former(of: "cover.garage", in: automations) }
        let open = AutomationTrigger.state(entityID: "cover.garage", to: "open", seconds: 600)
        let hours = AutomationCondition.time(from: GeneratedAccessMonth.time("22:00"), to: GeneratedAccessMonth.time("06:00"))
        var nightly = rule(10, "22:00", "06:00")
        nightly.waitsForActiveHours = false
        var always = rule(10)
        always.waitsForActiveHours = false

        #expect(former(automation(open)) == .rules([always]))
        #expect(former(automation(open, [hours]), automation(open)) == .rules([nightly, always]))
        #expect(former(automation(open, isOn: false), automation(open, tells: false)) == .nothing)
        #expect(former(automation(.state(entityID: "cover.shed", to: "open", seconds: 600))) == .nothing)
        #expect(former(automation(open, [.home(anybody: false)])) == .unknown)
        // An automation checks once: a condition since the evening is not reported at ten.
        #expect(Self.evening(nightly) == [] && Self.evening(rule(10, "22:00", "06:00")) == [22])
    }

    private static func evening(_ rule: WatchRule) -> [Double] {
        let events = [
            HouseEvent(id: "h1", at: start + 20 * 3600, deviceID: "garage", entityID: "cover.garage", fact: .state("open")),
            HouseEvent(id: "h2", at: start + 31 * 3600, deviceID: "garage", entityID: "cover.garage", fact: .state("closed")),
        ]
        return rule.notices(in: events, from: start, to: start + 48 * 3600, zone: zone).map { $0.at.timeIntervalSince(start) / 3600 }
    }
}
