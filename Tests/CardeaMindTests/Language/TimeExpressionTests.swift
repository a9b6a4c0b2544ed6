import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMind

@Suite("Time expressions use the house's local time")
struct TimeExpressionTests {
    private let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    private func resolve(_ text: String, now: Date, after last: Period? = nil) throws -> PeriodResolver.Outcome {
        let lexicon = try Lexicon.english()
        let names = NameIndex(HouseSnapshot(name: "", zone: berlin), lexicon: lexicon)
        let marks = Tagger(lexicon: lexicon, names: names).tokens(Word.tokenize(text))
        #expect(marks.allSatisfy { if case .time = $0.meaning { true } else { $0.meaning == .sense(.filler) } }, "\(text): \(marks)")
        return PeriodResolver(calendar: LocalCalendar(berlin), lexicon: lexicon, now: now).resolve(
            Clause(marks).timeExpressions, after: last)
    }

    /// `yyyy-MM-dd HH:mm` in local time, with the calendar that the code does not use.
    private func localTime(_ text: String) -> Date {
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = berlin
        return calendar.date(
            from: DateComponents(year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4]))
            ?? .distantPast
    }

    @Test(
        "Time expressions are resolved at a fixed moment: Thursday, 5 November 2026, 20:15",
        arguments: [
            ("today", "2026-11-05 00:00", "2026-11-05 20:15"), ("yesterday", "2026-11-04 00:00", "2026-11-05 00:00"),
            ("yesterday evening", "2026-11-04 18:00", "2026-11-05 00:00"),
            ("last night", "2026-11-04 20:00", "2026-11-05 06:00"), ("this morning", "2026-11-05 05:00", "2026-11-05 12:00"),
            ("in the morning", "2026-11-05 05:00", "2026-11-05 12:00"),
            ("since Monday", "2026-11-02 00:00", "2026-11-05 20:15"), ("on Monday", "2026-11-02 00:00", "2026-11-03 00:00"),
            ("last Thursday", "2026-10-29 00:00", "2026-10-30 00:00"),
            ("since Thursday", "2026-11-05 00:00", "2026-11-05 20:15"), ("Monday evening", "2026-11-02 18:00", "2026-11-03 00:00"),
            ("on 3 November", "2026-11-03 00:00", "2026-11-04 00:00"),
            ("on the 3rd of November", "2026-11-03 00:00", "2026-11-04 00:00"), ("on 24 December", "2025-12-24 00:00", "2025-12-25 00:00"),
            ("on the 31st", "2026-10-31 00:00", "2026-11-01 00:00"),
            ("between 8 and 10", "2026-11-05 08:00", "2026-11-05 10:00"),
            ("yesterday between 8 and 10 pm", "2026-11-04 20:00", "2026-11-04 22:00"),
            ("between 8 and 10 yesterday evening", "2026-11-04 20:00", "2026-11-04 22:00"),
            ("from 22:00 to 02:00 yesterday", "2026-11-04 22:00", "2026-11-05 02:00"),
            ("in the last two hours", "2026-11-05 18:15", "2026-11-05 20:15"),
            ("in the past 24 hours", "2026-11-04 20:15", "2026-11-05 20:15"),
            ("in the last hour", "2026-11-05 19:15", "2026-11-05 20:15"), ("last week", "2026-10-26 00:00", "2026-11-02 00:00"),
            ("this week", "2026-11-02 00:00", "2026-11-05 20:15"),
            ("last month", "2026-10-01 00:00", "2026-11-01 00:00"), ("in October", "2026-10-01 00:00", "2026-11-01 00:00"),
            ("last weekend", "2026-10-31 00:00", "2026-11-02 00:00"),
            ("at 7 pm yesterday", "2026-11-04 18:45", "2026-11-04 19:15"),
            ("around 19:00 yesterday", "2026-11-04 18:30", "2026-11-04 19:30"),
            ("at seven yesterday evening", "2026-11-04 18:45", "2026-11-04 19:15"),
            ("at half past 7 yesterday evening", "2026-11-04 19:25", "2026-11-04 19:35"),
            ("after 10 pm yesterday", "2026-11-04 22:00", "2026-11-05 00:00"),
            ("before 8 this morning", "2026-11-05 00:00", "2026-11-05 08:00"),
            ("since 18:00", "2026-11-05 18:00", "2026-11-05 20:15"), ("two days ago", "2026-11-03 00:00", "2026-11-04 00:00"),
            ("an hour ago", "2026-11-05 18:45", "2026-11-05 19:45"),
            ("a week ago", "2026-10-29 00:00", "2026-10-30 00:00"), ("the day before yesterday", "2026-11-03 00:00", "2026-11-04 00:00"),
            ("on Monday, 2 November", "2026-11-02 00:00", "2026-11-03 00:00"),
        ])
    func spoken(_ text: String, _ from: String, _ to: String) throws {
        guard case .period(let period) = try resolve(text, now: localTime("2026-11-05 20:15")) else {
            Issue.record("\(text) is no period")
            return
        }
        #expect(period.from == localTime(from), "\(text): \(period)")
        #expect(period.to == localTime(to), "\(text): \(period)")
        #expect(!period.words.isEmpty)
    }

    @Test("A day has its length at clock changes")
    func clocksChange() throws {
        // On 25 October 2026 the hour from two to three occurs twice; on 29 March it does not occur.
        for (now, day, hours) in [
            ("2026-10-26 12:00", "yesterday", 25.0), ("2026-03-30 12:00", "yesterday", 23.0), ("2026-10-27 12:00", "on 25 October", 25.0),
        ] {
            guard case .period(let period) = try resolve(day, now: localTime(now)), let from = period.from else {
                Issue.record("\(day) is no period")
                continue
            }
            #expect(period.to.timeIntervalSince(from) == hours * 3600)
        }
        let clock = LocalCalendar(berlin)
        let day = try #require(clock.day(29, month: 3, year: 2026))
        #expect(clock.moment(day, 150) == localTime("2026-03-29 03:00"))
        #expect(clock.minutes(of: clock.moment(day, 240)) == 240)
    }

    @Test("Day numbers are correct over two centuries")
    func days() throws {
        let clock = LocalCalendar(berlin)
        var random = SeededGenerator.forTest(5)
        for _ in 0..<2000 {
            let instant = Date(timeIntervalSince1970: Double(Int.random(in: -2_000_000_000...6_000_000_000, using: &random)))
            let day = clock.day(of: instant)
            let (number, month, year) = clock.date(day)
            #expect(clock.day(number, month: month, year: year) == day, "\(instant), seed \(random.seed)")
            #expect(clock.moment(day) <= instant && instant < clock.moment(day, 1440), "\(instant), seed \(random.seed)")
        }
        #expect(clock.day(31, month: 2, year: 2026) == nil)
    }

    @Test("Future times and impossible dates are reported as such")
    func impossible() throws {
        let now = localTime("2026-11-05 20:15")
        #expect(try resolve("tomorrow", now: now) == .future)
        #expect(try resolve("on 31 February", now: now) == .unclear)
        #expect(try resolve("on 3 December 2027", now: now) == .future)
        #expect(try resolve("now", now: now) == .none)
        #expect(try resolve("yesterday today", now: now) == .unclear)
    }
}
