import CardeaModel
import Foundation
import Testing

@Suite("Throttling of failed attempts")
struct ThrottleTests {
    let rule = Throttle(free: 3, first: 1, longest: 8, memory: 100)
    let start = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("The first failures cost no delay, then each doubles the delay up to the maximum")
    func doubling() {
        var record: Throttle.Record?
        var waits: [TimeInterval] = []
        for _ in 0..<9 {
            record = rule.recordingFailure(record, at: start)
            waits.append(rule.wait(record, at: start) ?? 0)
        }
        #expect(waits == [0, 0, 0, 1, 2, 4, 8, 8, 8])
    }

    @Test("A delay passes, and a quiet period resets the throttle")
    func forgetting() {
        let record = Throttle.Record(failures: 5, lastAt: start)
        #expect(rule.wait(record, at: start.addingTimeInterval(1.5)) == 0.5)
        #expect(rule.wait(record, at: start.addingTimeInterval(2)) == nil)
        #expect(rule.wait(record, at: start.addingTimeInterval(100)) == nil)
        #expect(rule.recordingFailure(record, at: start.addingTimeInterval(100)).failures == 1)
    }

    @Test("Remaining attempts count down to none during a delay, and one is available after it")
    func left() {
        func left(_ failures: Int, after seconds: TimeInterval) -> [Double] {
            let left = rule.remaining(Throttle.Record(failures: failures, lastAt: start), at: start.addingTimeInterval(seconds))
            return [Double(left.tries), left.after]
        }
        #expect(rule.remaining(nil, at: start).tries == 3 && rule.remaining(nil, at: start).after == 0)
        #expect(left(1, after: 0) == [2, 100] && left(3, after: 10) == [1, 90])
        #expect(left(5, after: 1.5) == [0, 0.5] && left(5, after: 2) == [1, 98])
        #expect(left(5, after: 100) == [3, 0] && left(1, after: -86_400) == [2, 100])
        #expect(left(Int.max, after: 50) == [1, 50])
    }

    @Test("A clock set back extends no delay beyond its own length")
    func clockSetBack() {
        let record = Throttle.Record(failures: 5, lastAt: start)
        #expect(rule.wait(record, at: start.addingTimeInterval(-86_400)) == 2)
    }

    @Test("Large failure counts cause no overflow")
    func many() {
        let record = Throttle.Record(failures: Int.max, lastAt: start)
        #expect(rule.wait(record, at: start) == 8)
        #expect(rule.recordingFailure(record, at: start).failures == 1_000_000)
    }
}
