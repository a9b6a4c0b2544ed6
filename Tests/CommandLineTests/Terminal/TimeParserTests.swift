import CardeaAPI
import CardeaModel
import Foundation
import Testing

@testable import cardea

@Suite("Time parsing")
struct TimeParserTests {
    private let text: TimeParser

    init() throws {
        // Saturday 21 November 2026, 15:31 in Berlin.
        text = TimeParser(
            zone: try #require(TimeZone(identifier: "Europe/Berlin")), now: try #require(Timestamp.date("2026-11-21T14:31:00Z")))
    }

    @Test(
        "A start time is parsed",
        arguments: [
            ("now", "2026-11-21T14:31:00Z"), ("14:00", "2026-11-21T13:00:00Z"), ("9", "2026-11-21T08:00:00Z"),
            ("9.30", "2026-11-21T08:30:00Z"), ("today 18:00", "2026-11-21T17:00:00Z"), ("tomorrow 9:00", "2026-11-22T08:00:00Z"),
            ("tomorrow at 9", "2026-11-22T08:00:00Z"), ("tomorrow", "2026-11-21T23:00:00Z"), ("fri 18", "2026-11-27T17:00:00Z"),
            ("Friday 18:00", "2026-11-27T17:00:00Z"), ("sat", "2026-11-20T23:00:00Z"), ("sun 8:00", "2026-11-22T07:00:00Z"),
            ("2026-12-01", "2026-11-30T23:00:00Z"), ("2026-12-01 14:00", "2026-12-01T13:00:00Z"),
            ("2026-12-01T14:00", "2026-12-01T13:00:00Z"), ("2026-12-01T14:00:00Z", "2026-12-01T14:00:00Z"),
            ("2026-12-01T14:00:00+02:00", "2026-12-01T12:00:00Z"), ("2026-07-01 14:00", "2026-07-01T12:00:00Z"),
        ])
    func beginnings(written: String, instant: String) throws {
        #expect(text.date(written, .beginning) == Timestamp.date(instant))
    }

    @Test(
        "An end given as a time is its next occurrence, and a day alone ends at its last moment",
        arguments: [
            ("18:00", "2026-11-21T17:00:00Z"), ("14:00", "2026-11-22T13:00:00Z"), ("today", "2026-11-21T23:00:00Z"),
            ("sun", "2026-11-22T23:00:00Z"), ("2026-12-24 12:00", "2026-12-24T11:00:00Z"), ("24:00", "2026-11-21T23:00:00Z"),
            ("24", "2026-11-21T23:00:00Z"), ("today 24:00", "2026-11-21T23:00:00Z"), ("sun 24.00", "2026-11-22T23:00:00Z"),
            ("2026-12-24T24:00", "2026-12-24T23:00:00Z"),
        ])
    func ends(written: String, instant: String) {
        #expect(text.end(written, after: text.now) == Timestamp.date(instant))
    }

    @Test(
        "An invalid time is refused",
        arguments: [
            "", " ", "later", "25:00", "24:00", "24", "9:7", "9:60", "14:00:00", "2026-13-01", "2026-02-30", "fri 18 19", "tomorrow noon",
            "-5", "9:",
        ])
    func nonsense(written: String) {
        #expect(text.date(written, .beginning) == nil)
    }

    @Test("A duration is parsed")
    func durations() {
        #expect(TimeParser.duration("90m") == 5400)
        #expect(TimeParser.duration("4h") == 14_400)
        #expect(TimeParser.duration("1h30m") == 5400)
        #expect(TimeParser.duration("1.5d") == 129_600)
        #expect(TimeParser.duration("2W") == 1_209_600)
        for nonsense in ["", "4", "h", "4x", "-4h", "0h", "1..2h", "99999w", "∞h"] {
            #expect(TimeParser.duration(nonsense) == nil, "\(nonsense)")
        }
    }

    @Test("Weekdays and hours are parsed")
    func week() throws {
        #expect(WeekdayParser.days("mon,tue") == [.mon, .tue])
        #expect(WeekdayParser.days("Mon-Fri") == [.mon, .tue, .wed, .thu, .fri])
        #expect(WeekdayParser.days("fri-mon") == [.fri, .sat, .sun, .mon])
        #expect(WeekdayParser.days("weekend, wednesday") == [.sat, .sun, .wed])
        #expect(WeekdayParser.days("daily")?.count == 7)
        for nonsense in ["", "xyz", "mon-", "m", "mon-tue-wed", "t"] { #expect(WeekdayParser.days(nonsense) == nil, "\(nonsense)") }

        let hours = try #require(WeekdayParser.hours("9-12:30"))
        #expect(hours.from == TimeOfDay("09:00") && hours.to == TimeOfDay("12:30"))
        for (text, from) in [("18-24", "18:00"), ("0:00-24:00", "00:00")] {
            let hours = try #require(WeekdayParser.hours(text))
            #expect(hours.from.description == from && hours.to.description == "00:00")
        }
        for nonsense in ["", "9", "9-", "9-25", "24-6", "18-24:30", "a-b", "9-12-15"] {
            #expect(WeekdayParser.hours(nonsense) == nil, "\(nonsense)")
        }
    }
}
