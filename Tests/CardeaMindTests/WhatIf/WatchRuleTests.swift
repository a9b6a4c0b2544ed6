import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("A rule that watches, over what has been")
struct WatchRuleTests {
    private static let zone = GeneratedMonth.zone
    /// Midnight in Berlin.
    private static let start = GeneratedMonth.start

    private func said(_ word: String, at hours: Double, entity: String = "cover.garage") -> Happening {
        Happening(
            id: "happening_\(Int(hours * 1000))", at: Self.start + hours * 3600, deviceID: "garage", entityID: entity, fact: .state(word))
    }

    private func rule(_ minutes: Double, _ from: String? = nil, _ to: String? = nil) -> WatchRule {
        WatchRule(
            entityID: "cover.garage", words: ["open"], longerThan: minutes * 60,
            between: from.flatMap { from in to.map { QuietHours(from: GeneratedMonth.time(from), to: GeneratedMonth.time($0)) } })
    }

    private func hours(_ rule: WatchRule, _ happenings: [Happening], to end: Double = 48) -> [Double] {
        rule.notices(in: happenings, from: Self.start, to: Self.start + end * 3600, zone: Self.zone)
            .map { $0.at.timeIntervalSince(Self.start) / 3600 }
    }

    @Test("It tells when it has been so for long enough, once, and not when it was over before")
    func longEnough() {
        let day = [said("open", at: 10), said("closed", at: 10.1), said("open", at: 12), said("open", at: 12.3), said("closed", at: 14)]
        #expect(hours(rule(30), day) == [12.5])
        #expect(hours(rule(3), day) == [10.05, 12.05])
        #expect(hours(rule(120), day) == [])
        #expect(hours(rule(0), [said("open", at: 47)]) == [47])
        #expect(hours(rule(.infinity), day) == [])
    }

    @Test("What has been so since the evening is told when the hours begin, over midnight too")
    func atNight() {
        let night = [said("open", at: 20), said("closed", at: 31), said("open", at: 33)]
        #expect(hours(rule(10, "22:00", "06:00"), night) == [22, 46])
        #expect(hours(rule(10, "22:00", "06:00"), night, to: 40) == [22])
        #expect(hours(rule(10), [said("open", at: -3)]) == [])
        #expect(hours(rule(10, "01:00", "02:00"), [said("open", at: -3)]) == [1])
    }

    @Test("The night in which the clocks go forward is as long as it is")
    func clocks() {
        // 2026-03-29, 02:00 is 03:00.
        let before = Double(15 * 24)
        #expect(hours(rule(90, "02:30", "05:00"), [said("open", at: before)], to: before + 24) == [before + 2])
    }

    @Test("Out of reach, it says that it is not sure")
    func unsure() {
        let gone = Happening(id: "happening_x", at: Self.start + 36_000 + 60, deviceID: "garage", fact: .standing(.offline))
        let notices = rule(30).notices(
            in: [said("open", at: 10), gone, said("closed", at: 12)], from: Self.start, to: Self.start + 86_400, zone: Self.zone)
        #expect(notices.map(\.isSure) == [false])
    }

    @Test("Another rule misses some and adds some, exactly those that counting says")
    func compared() {
        var dice = HouseDice(21)
        var (at, happenings, spans) = (0.0, [Happening](), [(Double, Double)]())
        for _ in 0..<300 {
            at += Double.random(in: 0.1...3, using: &dice)
            let length = Double.random(in: 0.05...2, using: &dice)
            happenings += [said("open", at: at), said("closed", at: at + length)]
            spans.append((at, length))
            at += length
        }
        let result = WatchRule.compare(
            rule(20), with: rule(40), in: happenings.shuffled(using: &dice), from: Self.start, to: Self.start + 2000 * 3600, zone: Self.zone
        )

        #expect(result.missed.count == spans.count { $0.1 > 20.0 / 60 && $0.1 <= 40.0 / 60 })
        #expect(result.kept.count == spans.count { $0.1 > 40.0 / 60 })
        #expect(result.added.isEmpty)
        let none = WatchRule.compare(nil, with: rule(40), in: happenings, from: Self.start, to: Self.start + 2000 * 3600, zone: Self.zone)
        #expect(none.added.count == result.kept.count && none.missed.isEmpty)
    }
}
