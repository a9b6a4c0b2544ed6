import CardeaModel
import Foundation
import Testing

@Suite("Hourly readings")
struct HourlyReadingTests {
    @Test("An hourly meter reading spans a restart of the meter")
    func hour() throws {
        let start = Date(timeIntervalSince1970: 1_795_269_600)
        let readings = [98.0, 100, 1, 3].enumerated().map { Reading(at: start.addingTimeInterval(Double($0.offset)), value: $0.element) }
        let hour = try #require(HourlyReading(readings, in: start))

        #expect(hour.low == 1 && hour.high == 100 && hour.count == 4)
        #expect(hour.first == 98 && hour.last == 3 && hour.used == 5)
        #expect(HourlyReading([], in: start) == nil)
    }

    @Test("An hourly mean is weighted by time, each value holding until the next")
    func overTime() throws {
        let start = Date(timeIntervalSince1970: 1_795_269_600)
        func hour(_ words: [(minute: Double, value: Double)], after: Double?, from: Double = 0, until: Double = 60) -> HourlyReading? {
            HourlyReading(
                words.map { Reading(at: start + $0.minute * 60, value: $0.value) }, in: start, after: after, from: start + from * 60,
                until: start + until * 60)
        }
        // It warmed for a third of the hour, and then stayed.
        let words: [(minute: Double, value: Double)] = [(10, 18), (20, 20)]

        #expect(hour(words, after: nil)?.mean == 19.6 && hour(words, after: nil)?.start == nil)
        let whole = try #require(hour(words, after: 24))
        #expect(abs(whole.mean - 61.0 / 3) < 1e-9)
        #expect(whole.low == 18 && whole.high == 24 && whole.first == 18 && whole.start == 24)
        #expect(hour(words, after: 24, until: 40)?.mean == 20.5)
        #expect(hour(words, after: 24, from: 5, until: 25)?.mean == 20)
        // An empty period has the reported value; a clock that was set back subtracts nothing.
        #expect(hour([(10, 18)], after: nil, until: 10)?.mean == 18)
        #expect(hour(words, after: 24, until: 15)?.mean == 21)
        // Numbers that overflow the sum are no reason to drop the hour.
        #expect(hour([(0, 1e308), (30, -1e308)], after: 0)?.mean.isFinite == true)
        #expect(hour([(0, 21.3), (7, 21.3), (13, 21.3)], after: 21.3)?.mean == 21.3)
    }

    @Test("Several hours are averaged by time, and silence holds the last value")
    func hoursTogether() throws {
        let start = Date(timeIntervalSince1970: 1_795_269_600)
        func hour(_ number: Double, _ mean: Double, last: Double, count: Int, start before: Double? = nil) -> HourlyReading {
            HourlyReading(
                hour: start + number * 3600, low: 0, high: 99, mean: mean, first: mean, last: last, used: 0, count: count, start: before)
        }
        let hours = [hour(0, 20, last: 24, count: 1), hour(1, 22, last: 18, count: 300, start: 24)]

        #expect(hours.meanOverTime() == 21)
        #expect(hours.meanOverTime(until: start + 4 * 3600) == 19.5)
        #expect(hours.dropFirst().meanOverTime(from: start, until: start + 2 * 3600) == 23)
        #expect((hours + [hour(3, 20, last: 20, count: 1)]).meanOverTime() == 20)
        #expect([HourlyReading]().meanOverTime() == nil)
    }

    @Test("Readings are grouped by full hours, and non-numbers are no readings")
    func rules() {
        #expect(ReadingPolicy.hour(of: 3_600_001) == 3_600_000 && ReadingPolicy.hour(of: -1) == -3_600_000)
        #expect(ReadingPolicy.number(EntityState("nan"), of: .sensor) == nil && ReadingPolicy.number(EntityState("1"), of: .lock) == nil)
    }
}
