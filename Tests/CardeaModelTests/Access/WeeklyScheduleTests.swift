import CardeaModel
import Foundation
import Testing

@Suite("Weekly schedule in the house's time zone")
struct WeeklyScheduleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let says: String
        let zone: String
        let days: [Weekday]
        let from: String
        let to: String
        let at: String
        let isOpen: Bool
        var testDescription: String { says }
    }

    /// Every line was worked out by hand from the zone's published clock changes.
    static let table: [Case] = [
        Case(
            says: "Saturday at the first minute", zone: "Europe/Berlin", days: [.sat], from: "14:00", to: "18:00",
            at: "2026-11-21T13:00:00Z", isOpen: true),
        Case(
            says: "a second before", zone: "Europe/Berlin", days: [.sat], from: "14:00", to: "18:00", at: "2026-11-21T12:59:59Z",
            isOpen: false),
        Case(
            says: "the last second", zone: "Europe/Berlin", days: [.sat], from: "14:00", to: "18:00", at: "2026-11-21T16:59:59Z",
            isOpen: true),
        Case(
            says: "the end itself is out", zone: "Europe/Berlin", days: [.sat], from: "14:00", to: "18:00", at: "2026-11-21T17:00:00Z",
            isOpen: false),
        Case(
            says: "another day", zone: "Europe/Berlin", days: [.sun], from: "14:00", to: "18:00", at: "2026-11-21T13:00:00Z", isOpen: false),
        Case(
            says: "past midnight belongs to the day it begins", zone: "Europe/Berlin", days: [.fri], from: "22:00", to: "02:00",
            at: "2026-11-21T00:30:00Z", isOpen: true),
        Case(
            says: "and not to the day it ends", zone: "Europe/Berlin", days: [.sat], from: "22:00", to: "02:00", at: "2026-11-21T00:30:00Z",
            isOpen: false),
        Case(
            says: "equal times are a whole day", zone: "Europe/Berlin", days: [.fri], from: "08:00", to: "08:00",
            at: "2026-11-21T06:59:00Z", isOpen: true),
        Case(
            says: "and no more", zone: "Europe/Berlin", days: [.fri], from: "08:00", to: "08:00", at: "2026-11-21T07:00:00Z", isOpen: false),
        // Berlin, 29 March 2026: 02:00 CET becomes 03:00 CEST at 01:00 UTC.
        Case(
            says: "spring: 02:30 does not exist, so it opens after the gap", zone: "Europe/Berlin", days: [.sun], from: "02:30",
            to: "04:00", at: "2026-03-29T01:00:00Z", isOpen: true),
        Case(
            says: "spring: not before the gap", zone: "Europe/Berlin", days: [.sun], from: "02:30", to: "04:00", at: "2026-03-29T00:59:59Z",
            isOpen: false),
        Case(
            says: "spring: an end in the gap is the end of the gap", zone: "Europe/Berlin", days: [.sun], from: "01:00", to: "02:30",
            at: "2026-03-29T00:59:59Z", isOpen: true),
        Case(
            says: "spring: and then it is over", zone: "Europe/Berlin", days: [.sun], from: "01:00", to: "02:30",
            at: "2026-03-29T01:00:00Z", isOpen: false),
        Case(
            says: "spring: over midnight into the short night", zone: "Europe/Berlin", days: [.sat], from: "22:00", to: "06:00",
            at: "2026-03-29T03:59:59Z", isOpen: true),
        Case(
            says: "spring: six by the wall is an hour earlier", zone: "Europe/Berlin", days: [.sat], from: "22:00", to: "06:00",
            at: "2026-03-29T04:00:00Z", isOpen: false),
        // Berlin, 25 October 2026: 03:00 CEST becomes 02:00 CET at 01:00 UTC; 02:30 comes at 00:30 and 01:30 UTC.
        Case(
            says: "autumn: from counts the first 02:30", zone: "Europe/Berlin", days: [.sun], from: "02:30", to: "05:00",
            at: "2026-10-25T00:30:00Z", isOpen: true),
        Case(
            says: "autumn: stays open through the second 02:15", zone: "Europe/Berlin", days: [.sun], from: "02:30", to: "05:00",
            at: "2026-10-25T01:15:00Z", isOpen: true),
        Case(
            says: "autumn: to counts the last 02:30", zone: "Europe/Berlin", days: [.sun], from: "01:00", to: "02:30",
            at: "2026-10-25T01:29:59Z", isOpen: true),
        Case(
            says: "autumn: and then it is over", zone: "Europe/Berlin", days: [.sun], from: "01:00", to: "02:30",
            at: "2026-10-25T01:30:00Z", isOpen: false),
        Case(
            says: "autumn: the long night ends at six by the wall", zone: "Europe/Berlin", days: [.sat], from: "22:00", to: "06:00",
            at: "2026-10-25T04:59:59Z", isOpen: true),
        // Lord Howe moves its clocks by half an hour: 4 October 2026, 02:00 becomes 02:30 (15:30 UTC the day before).
        Case(
            says: "half an hour of spring", zone: "Australia/Lord_Howe", days: [.sun], from: "02:15", to: "03:00",
            at: "2026-10-03T15:30:00Z", isOpen: true),
        Case(
            says: "half an hour of spring, not before", zone: "Australia/Lord_Howe", days: [.sun], from: "02:15", to: "03:00",
            at: "2026-10-03T15:29:59Z", isOpen: false),
        // Kathmandu's offset has a quarter hour: 05:45 ahead.
        Case(
            says: "a quarter of an hour of zone", zone: "Asia/Kathmandu", days: [.sat], from: "09:00", to: "10:00",
            at: "2026-11-21T03:15:00Z", isOpen: true),
        Case(
            says: "a day that is another day in UTC", zone: "Pacific/Auckland", days: [.mon], from: "00:00", to: "01:00",
            at: "2026-11-22T11:00:00Z", isOpen: true),
        Case(
            says: "New York's autumn", zone: "America/New_York", days: [.sun], from: "01:30", to: "03:00", at: "2026-11-01T05:30:00Z",
            isOpen: true),
        // Pyongyang went from 23:30 straight to midnight, without summer time.
        Case(
            says: "the first moment after a gap that is no summer time", zone: "Asia/Pyongyang", days: [.fri], from: "23:45", to: "01:00",
            at: "2018-05-04T15:00:00Z", isOpen: true),
        Case(
            says: "the last moment before a gap that is no summer time", zone: "Asia/Pyongyang", days: [.fri], from: "23:45", to: "01:00",
            at: "2018-05-04T14:59:59Z", isOpen: false),
        // Samoa had no 30 December 2011 at all.
        Case(
            says: "the day after a day that never was", zone: "Pacific/Apia", days: [.sat], from: "00:00", to: "01:00",
            at: "2011-12-30T10:00:00Z", isOpen: true),
    ]

    @Test("Windows are open at the listed times, also over clock changes", arguments: table)
    func clocks(line: Case) throws {
        let zone = try #require(TimeZone(identifier: line.zone))
        let schedule = WeeklySchedule(lines: [
            .init(days: Set(line.days), from: try #require(TimeOfDay(line.from)), to: try #require(TimeOfDay(line.to)))
        ])
        let at = try Date(line.at, strategy: .iso8601)
        #expect(schedule.contains(at, in: zone) == line.isOpen)
    }

    @Test("The next opening is the next moment at which the pass is valid")
    func nextOpening() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let nine = try #require(TimeOfDay("09:00"))
        let twelve = try #require(TimeOfDay("12:00"))
        let tuesdays = WeeklySchedule(lines: [.init(days: [.tue], from: nine, to: twelve)])
        let saturday = try Date("2026-11-21T13:00:00Z", strategy: .iso8601)
        let next = try #require(tuesdays.nextOpening(after: saturday, in: zone))
        #expect(next == (try Date("2026-11-24T08:00:00Z", strategy: .iso8601)))
        #expect(tuesdays.contains(next, in: zone))
        #expect(WeeklySchedule(lines: []).nextOpening(after: saturday, in: zone) == nil)
    }

    @Test("Only HH:MM is parsed as a time", arguments: ["9:00", "24:00", "12:60", "12:0", "１２:00", "", "12:00:00", "-1:00", "+1:00"])
    func malformed(text: String) {
        #expect(TimeOfDay(text) == nil)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(TimeOfDay.self, from: JSONEncoder().encode(text)) }
    }

    @Test("24:00 ends a day and cannot begin a window")
    func endOfDay() throws {
        #expect(TimeOfDay(end: "24:00")?.description == "00:00" && TimeOfDay(end: "23:59")?.description == "23:59")
        for nonsense in ["24:01", "25:00", "24", "24:0", ""] { #expect(TimeOfDay(end: nonsense) == nil) }
        #expect(
            TimeOfDay.validationMessage("24:00").contains("00:00") && TimeOfDay.validationMessage("9") == "must be a time of day, HH:MM")

        let evening = try JSONDecoder().decode(QuietHours.self, from: Data(#"{"from":"18:00","to":"24:00"}"#.utf8))
        for (moment, isWithin) in [("17:59", false), ("18:00", true), ("23:59", true), ("00:00", false)] {
            #expect(evening.contains(try Date("2026-11-21T\(moment):00Z", strategy: .iso8601), in: .gmt) == isWithin, "\(moment)")
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(QuietHours.self, from: Data(#"{"from":"24:00","to":"06:00"}"#.utf8))
        }
        let condition = #"{"type":"time","from":"18:00","to":"24:00"}"#
        let read = try JSONDecoder().decode(AutomationCondition.self, from: Data(condition.utf8))
        #expect(read == .time(from: evening.from, to: evening.to))
    }
}
