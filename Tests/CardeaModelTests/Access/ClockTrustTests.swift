import CardeaModel
import Foundation
import Testing

@Suite("Clock trust")
struct ClockTrustTests {
    private static let noon = Date(timeIntervalSince1970: 1_790_000_000)
    private static let day: TimeInterval = 86_400

    private func after(_ seconds: TimeInterval) -> Date { Self.noon.addingTimeInterval(seconds) }

    @Test("A steady clock is trusted, at minute intervals and over a night without power")
    func steady() {
        var mark = ClockTrust(trusting: Self.noon)
        let looks: [TimeInterval] = [60, 120, 121, 28_921, 108_121]
        for seconds in looks {
            mark.observe(at: after(seconds))
            #expect(mark == ClockTrust(trusting: after(seconds)))
            #expect(mark.status(at: after(seconds)) == .trusted && mark.trustedTime(of: after(seconds)) == after(seconds))
        }
    }

    @Test(
        "A correction of five seconds back is accepted; one of six is behind until the clock has caught up",
        arguments: [6.0, 3600, 86_400, 1.7e9])
    func behind(by seconds: TimeInterval) {
        var mark = ClockTrust(trusting: Self.noon)
        mark.observe(at: after(-5))
        #expect(mark.status(at: after(-5)) == .trusted && mark.trustedUntil == Self.noon, "what was sure stays so")
        mark.observe(at: after(-seconds))
        #expect(mark.status(at: after(-seconds)) == .behind(by: seconds))
        #expect(mark.trustedTime(of: after(-seconds)) == after(-seconds), "by an early clock nothing is old")
        mark.observe(at: after(-seconds + 1))
        #expect(mark.trustedUntil == Self.noon)
        mark.observe(at: after(1))
        #expect(mark == ClockTrust(trusting: after(1)))
    }

    @Test("A forward jump is distrusted for a day of steady time, a long jump until it is confirmed")
    func ahead() {
        var mark = ClockTrust(trusting: Self.noon)
        let leapt = after(10 * Self.day)
        mark.observe(at: leapt)
        #expect(mark.status(at: leapt) == .ahead(by: 10 * Self.day, until: leapt.addingTimeInterval(Self.day)))
        #expect(mark.trustedTime(of: leapt) == Self.noon)
        for hour in 1...23 { mark.observe(at: leapt.addingTimeInterval(Double(hour) * 3600)) }
        #expect(mark.trustedUntil == Self.noon)
        mark.observe(at: leapt.addingTimeInterval(Self.day))
        #expect(mark == ClockTrust(trusting: leapt.addingTimeInterval(Self.day)))

        var lost = ClockTrust(trusting: Self.noon)
        let years = after(3650 * Self.day)
        for hour in 0...500 { lost.observe(at: years.addingTimeInterval(Double(hour) * 3600)) }
        #expect(lost.trustedUntil == Self.noon && lost.trustedTime(of: years) == Self.noon)
        guard case .ahead(_, until: nil) = lost.status(at: years) else { return #expect(Bool(false), "it is believed by itself") }
        // Corrected, it is as before.
        lost.observe(at: after(3 * 3600))
        #expect(lost == ClockTrust(trusting: after(3 * 3600)))
    }

    @Test("Another jump in either direction restarts the distrust, so two short jumps do not bypass it")
    func again() {
        var mark = ClockTrust(trusting: Self.noon)
        mark.observe(at: after(2 * Self.day))
        mark.observe(at: after(2 * Self.day + 3600))
        // A day and more in one step: this day was not observed.
        mark.observe(at: after(4 * Self.day))
        #expect(mark.jumpedAt == after(4 * Self.day) && mark.trustedUntil == Self.noon)
        mark.observe(at: after(3 * Self.day))
        #expect(mark.jumpedAt == after(3 * Self.day) && mark.trustedUntil == Self.noon)
        mark.observe(at: after(-3600))
        #expect(mark.jumpedAt == nil && mark.status(at: after(-3600)) == .behind(by: 3600))
    }

    @Test("The trusted time never goes back and never exceeds the observed time")
    func properties() {
        let steps: [TimeInterval] = [60, 3600, -7, -90_000, 90_000, 4e6, -4e6, 3e8, -3e8]
        var random = SeededGenerator.forTest(4)
        for _ in 0..<2000 {
            var (mark, latest, now) = (ClockTrust(trusting: Self.noon), Self.noon, Self.noon)
            for _ in 0..<40 {
                now += steps.randomElement(using: &random) ?? 60
                latest = max(latest, now)
                let before = mark.trustedUntil
                mark.observe(at: now)
                #expect(
                    mark.trustedUntil >= before && mark.trustedUntil <= latest && mark.trustedTime(of: now) <= max(now, mark.trustedUntil),
                    "seed \(random.seed)")
            }
        }
    }
}
