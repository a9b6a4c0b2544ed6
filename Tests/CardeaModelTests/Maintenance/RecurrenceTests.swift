import CardeaModel
import Foundation
import Testing

@Suite("Recurring tasks on calendar days")
struct RecurrenceTests {
    private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

    @Test("Only a valid calendar date is parsed as a day")
    func writing() throws {
        for text in ["2026-11-30", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"] { #expect(try day(text).description == text) }
        for text in [
            "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-1-01", "20260101", "", "２０26-01-01", "+026-01-01",
        ] {
            #expect(CalendarDay(text) == nil, "\(text)")
        }
    }

    @Test("Over four hundred years each next day matches Foundation's calendar")
    func counting() throws {
        var calendar = Calendar(identifier: .gregorian)
        let utc = try #require(TimeZone(identifier: "UTC"))
        calendar.timeZone = utc
        var today = try day("1900-01-01")
        var noon = try #require(calendar.date(from: DateComponents(year: 1900, month: 1, day: 1, hour: 12)))
        var wrong = 0
        for _ in 0..<146_097 {
            let parts = calendar.dateComponents([.year, .month, .day], from: noon)
            let next = today.adding(days: 1)
            let isSo =
                parts.year == today.year && parts.month == today.month && parts.day == today.day && CalendarDay(noon, in: utc) == today
                && next > today && today.days(to: next) == 1 && next.adding(days: -1) == today
            if !isSo { wrong += 1 }
            (today, noon) = (next, noon.addingTimeInterval(86_400))
        }
        #expect(wrong == 0)
        #expect(try day("9999-12-31").adding(days: 1) == day("9999-12-31") && day("0001-01-01").adding(days: -1) == day("0001-01-01"))
        #expect(try day("9999-12-31").adding(months: 1) == day("9999-12-31"))
    }

    @Test("The day depends on the time zone and not on clock changes")
    func zones() throws {
        let (berlin, auckland) = (
            try #require(TimeZone(identifier: "Europe/Berlin")), try #require(TimeZone(identifier: "Pacific/Auckland"))
        )
        let moment = try Date("2026-11-30T23:30:00Z", strategy: .iso8601)
        #expect(try CalendarDay(moment, in: berlin) == day("2026-12-01") && CalendarDay(moment, in: auckland) == day("2026-12-01"))
        let nine = try #require(TimeOfDay("09:00"))
        #expect(try day("2026-03-28").moment(at: nine, in: berlin) == Date("2026-03-28T08:00:00Z", strategy: .iso8601))
        #expect(try day("2026-03-29").moment(at: nine, in: berlin) == Date("2026-03-29T07:00:00Z", strategy: .iso8601))
        #expect(try day("2026-10-25").moment(at: nine, in: berlin) == Date("2026-10-25T08:00:00Z", strategy: .iso8601))
        // There was no 30 December 2011 in Samoa, and the day after it is given like any other.
        let apia = try #require(TimeZone(identifier: "Pacific/Apia"))
        #expect(try CalendarDay(day("2011-12-31").moment(at: nine, in: apia), in: apia) == day("2011-12-31"))
        for instant in [Date.distantPast, .distantFuture] {
            #expect((1...9999).contains(CalendarDay(instant, in: berlin).year))
        }
    }

    @Test("A monthly task on day 31 is due on the last day of shorter months")
    func monthEnds() throws {
        let start = try day("2026-01-31")
        var days = [start]
        for _ in 0..<12 { days.append(Recurrence.monthly.next(after: days[days.count - 1], from: start)) }
        #expect(
            days.map(\.description) == [
                "2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30", "2026-07-31", "2026-08-31",
                "2026-09-30", "2026-10-31", "2026-11-30", "2026-12-31", "2027-01-31",
            ])
        let leap = try day("2024-02-29")
        #expect(try Recurrence.annual.next(after: leap, from: leap) == day("2025-02-28"))
        #expect(try Recurrence.annual.next(after: day("2027-06-01"), from: leap) == day("2028-02-29"))
        #expect(try Recurrence.quarterly.next(after: day("2026-11-30"), from: day("2026-08-31")) == day("2027-02-28"))
    }

    @Test(
        "The next and previous day of any series match counting day by day",
        arguments: Recurrence.allCases)
    func asCounted(_ recurrence: Recurrence) throws {
        func step(_ count: Int, _ start: CalendarDay) -> CalendarDay {
            switch recurrence {
            case .daily: start.adding(days: count)
            case .weekly: start.adding(days: 7 * count)
            case .biweekly: start.adding(days: 14 * count)
            case .monthly: start.adding(months: count)
            case .quarterly: start.adding(months: 3 * count)
            case .semiannual: start.adding(months: 6 * count)
            case .annual: start.adding(months: 12 * count)
            }
        }
        let begin = try day("2020-01-01")
        var random = SeededGenerator.forTest(8)
        for _ in 0..<TestRepetitions.of(300, full: 1500) {
            let start = begin.adding(days: Int.random(in: 0..<1500, using: &random))
            let asked = start.adding(days: Int.random(in: -40..<400, using: &random))
            let series = (0...400).lazy.map { step($0, start) }
            let (next, last) = (recurrence.next(after: asked, from: start), recurrence.last(before: asked, from: start))
            #expect(next == series.first { $0 > asked }, "seed \(random.seed)")
            #expect(last == (series.prefix { $0 < asked }.max() ?? step(-1, start)), "seed \(random.seed)")
            // No other date of the series lies between the two.
            #expect(next > asked && (last < asked || asked <= start), "seed \(random.seed)")
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let says: String
        let due: String
        let done: String
        var last: String?
        var made = "2026-01-01"
        let next: String
        var testDescription: String { says }
    }

    @Test(
        "A completed task is due on the next day of its series",
        arguments: [
            Case(says: "on the day", due: "2026-01-31", done: "2026-01-31", next: "2026-02-28"),
            Case(
                says: "a few days early: it counts for the day that was to come", due: "2026-02-28", done: "2026-02-20", next: "2026-03-31"),
            Case(says: "late", due: "2026-02-28", done: "2026-03-05", next: "2026-03-31"),
            Case(says: "so late that one was left out", due: "2026-02-28", done: "2026-04-02", next: "2026-04-30"),
            Case(
                says: "put down afterwards, from before the day before: it moves nothing", due: "2026-03-31", done: "2026-01-15",
                next: "2026-03-31"),
            Case(says: "twice on one day: once", due: "2026-03-31", done: "2026-03-05", last: "2026-03-05", next: "2026-03-31"),
            Case(says: "before it ever was due", due: "2026-01-31", done: "2026-01-05", next: "2026-02-28"),
            Case(
                says: "long before its time, with a task that was there", due: "2026-01-31", done: "2025-12-24", made: "2025-12-01",
                next: "2026-02-28"),
            // Last year's receipt, recorded with a new task, once removed the next date.
            Case(says: "put down from before the series: it moves nothing", due: "2026-01-31", done: "2025-12-24", next: "2026-01-31"),
        ])
    func next(_ one: Case) throws {
        let due = MaintenanceTask.Due(on: try day(one.due), recurrence: .monthly, from: try day("2026-01-31"))
        let next = due.next(doneOn: try day(one.done), last: try one.last.map(day), made: try day(one.made))
        #expect(try next?.on == day(one.next) && next?.from == due.from && next?.recurrence == .monthly)
    }

    @Test("A completed one-time task is due no more")
    func once() throws {
        #expect(
            MaintenanceTask.Due(on: try day("2026-01-31")).next(doneOn: try day("2025-01-01"), last: nil, made: try day("2026-01-01"))
                == nil)
    }

    @Test("A task is overdue from the day after its due day, and never without a due day")
    func overdue() throws {
        func task(_ due: MaintenanceTask.Due?) -> MaintenanceTask {
            let made = Date(timeIntervalSince1970: 0)
            return MaintenanceTask(id: "task_1", title: "Change the filter", due: due, createdAt: made, changedAt: made)
        }
        let dated = task(.init(on: try day("2026-01-31")))
        let days = try ["2026-01-30", "2026-01-31", "2026-02-01"].map(day)
        #expect(days.map { dated.isOverdue(on: $0) } == [false, false, true])
        let last = try day("9999-12-31")
        #expect(!task(nil).isOverdue(on: last))
    }

    @Test("Reminders are sent at nine local time and outside quiet hours")
    func telling() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let due = MaintenanceTask.Due(on: try day("2026-03-29"))
        func told(_ from: String, _ to: String) throws -> String {
            let quiet = QuietHours(from: try #require(TimeOfDay(from)), to: try #require(TimeOfDay(to)))
            return due.notificationTime(in: berlin, quiet: quiet).formatted(.iso8601)
        }
        #expect(due.notificationTime(in: berlin, quiet: nil).formatted(.iso8601) == "2026-03-29T07:00:00Z")
        #expect(try told("22:00", "07:00") == "2026-03-29T07:00:00Z")
        #expect(try told("22:00", "10:30") == "2026-03-29T08:30:00Z")
        #expect(try told("08:00", "12:00") == "2026-03-29T10:00:00Z")
        #expect(try told("08:00", "06:00") == "2026-03-30T04:00:00Z")
    }

    @Test("Money is a non-negative amount in minor units of a currency")
    func money() {
        #expect(Money(minor: 1299, currency: "EUR")?.minor == 1299 && Money(minor: 0, currency: "JPY") != nil)
        for (minor, currency) in [(-1, "EUR"), (Money.maximum + 1, "EUR"), (1, "eur"), (1, "EURO"), (1, ""), (1, "ÄÖ")] as [(Int64, String)]
        {
            #expect(Money(minor: minor, currency: currency) == nil)
        }
        for (written, said) in [
            ("12.99 EUR", "12.99 EUR"), ("12,9EUR", "12.90 EUR"), ("7 EUR", "7.00 EUR"), ("0.05 USD", "0.05 USD"), ("1200 JPY", "1200 JPY"),
            ("1.5 KWD", "1.500 KWD"), ("0 ISK", "0 ISK"),
        ] { #expect(Money(written: written)?.description == said) }
        for text in [
            "", "EUR", "12.999 EUR", "1.5 JPY", "-1 EUR", "1,000.00 EUR", "1. EUR", ".5 EUR", "12.99", "12.99 eur", "9999999999999 EUR",
        ] {
            #expect(Money(written: text) == nil, "\(text)")
        }
    }
}
