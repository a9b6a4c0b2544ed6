import Foundation

/// When in the week something is allowed, in the house's time zone.
///
/// A line's window belongs to the day it begins: Friday 22:00 to 02:00 ends on Saturday. When clocks change, a time that does
/// not exist becomes the first moment after the gap; of a time that comes twice, `from` means the first and `to` the last, so
/// that nobody stands before the door an hour early or late by the clock on the wall.
public struct WeeklySchedule: Codable, Hashable, Sendable {
    public var lines: [Window]

    public init(lines: [Window]) {
        self.lines = lines
    }

    public struct Window: Codable, Hashable, Sendable {
        public var days: Set<Weekday>
        public var from: TimeOfDay
        /// Not after `from` means: runs past midnight; equal means a whole day.
        public var to: TimeOfDay

        public init(days: Set<Weekday>, from: TimeOfDay, to: TimeOfDay) {
            self.days = days
            self.from = from
            self.to = to
        }
    }

    /// Whether `instant` lies in one of the windows.
    public func contains(_ instant: Date, in zone: TimeZone) -> Bool {
        let calendar = Calendar.houseCalendar(zone)
        let today = calendar.startOfDay(for: instant)
        return (-1...0).contains { offset in
            intervals(offset, from: today, calendar: calendar).contains { $0.start <= instant && instant < $0.end }
        }
    }

    /// The first moment after `instant` at which a window begins, or nil when no day is named.
    public func nextOpening(after instant: Date, in zone: TimeZone) -> Date? {
        let calendar = Calendar.houseCalendar(zone)
        let today = calendar.startOfDay(for: instant)
        for offset in 0...8 {
            let starts = intervals(offset, from: today, calendar: calendar).filter { $0.start > instant && $0.start < $0.end }
            if let first = starts.map(\.start).min() { return first }
        }
        return nil
    }

    private func intervals(_ offset: Int, from today: Date, calendar: Calendar) -> [(start: Date, end: Date)] {
        // Noon survives every change of clocks, so a day is counted from noon to noon.
        let noons = [offset, offset + 1].compactMap { days in
            calendar.date(byAdding: .hour, value: 12, to: today).flatMap { calendar.date(byAdding: .day, value: days, to: $0) }
        }
        return zip(noons, noons.dropFirst()).flatMap { day, next in
            let weekday = Weekday(gregorian: calendar.component(.weekday, from: day))
            return lines.filter { $0.days.contains(weekday) }.map { line in
                let endDay = line.to <= line.from ? next : day
                return (
                    start: line.from.moment(on: day, last: false, zone: calendar.timeZone),
                    end: line.to.moment(on: endDay, last: true, zone: calendar.timeZone)
                )
            }
        }
    }
}

/// A day of the week, by its wire name.
public enum Weekday: String, Codable, Hashable, Sendable, CaseIterable {
    case mon, tue, wed, thu, fri, sat, sun

    /// From the Gregorian calendar's number, 1 for Sunday.
    init(gregorian: Int) {
        self = Self.allCases[(gregorian + 5) % 7]
    }
}

/// A time on the wall clock, `HH:MM`.
public struct TimeOfDay: Hashable, Sendable, Comparable {
    /// Minutes since midnight, 0 to 1439.
    public let minutes: Int

    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(String(decoding: parts[0], as: UTF8.self)), let minute = Int(String(decoding: parts[1], as: UTF8.self)),
            hour < 24, minute < 60
        else { return nil }
        minutes = hour * 60 + minute
    }

    /// When something ends. `24:00` is the midnight at the end of the day (ISO 8601-1), which a span reaches as `00:00`.
    public init?(end text: String) {
        self.init(text == "24:00" ? "00:00" : text)
    }

    /// What is wrong with a text that is no time of day, as the rest of a sentence.
    public static func validationMessage(_ text: String) -> String {
        text == "24:00" ? "is written 00:00 where a day begins; 24:00 ends one" : "is written HH:MM"
    }

    public init?(minutes: Int) {
        guard (0..<1440).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    /// A full hour of the day.
    init(hour: Int) { minutes = min(max(hour, 0), 23) * 60 }

    public static func < (one: TimeOfDay, other: TimeOfDay) -> Bool { one.minutes < other.minutes }

    /// The instant at which the wall shows this time on the day of the noon `day`.
    func moment(on day: Date, last: Bool, zone: TimeZone) -> Date {
        let offset = { (instant: Date) in TimeInterval(zone.secondsFromGMT(for: instant)) }
        // The wall's reading as if there were no zone; the zone's offsets around it then say which instants show it.
        let midnight = ((day.timeIntervalSinceReferenceDate + offset(day)) / 86400).rounded(.down) * 86400
        let wall = Date(timeIntervalSinceReferenceDate: midnight + Double(minutes * 60))
        let (before, after) = (offset(wall - 86400), offset(wall + 86400))
        let showing = [wall - before, wall - after].filter { offset($0) == wall.timeIntervalSince($0) }
        if let instant = last ? showing.max() : showing.min() { return instant }
        // In the gap: the first moment after it lies between the readings by the old clock and by the new one.
        var (early, late) = (wall - after, wall - before)
        while late.timeIntervalSince(early) > 1 {
            let middle = early + (late.timeIntervalSince(early) / 2).rounded(.down)
            if offset(middle) == before { early = middle } else { late = middle }
        }
        return late
    }
}

extension TimeOfDay: Codable, CustomStringConvertible {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = TimeOfDay(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: Self.validationMessage(text)))
        }
        self = time
    }

    /// What is read where something ends.
    fileprivate struct EndTime: Decodable {
        let time: TimeOfDay

        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let time = TimeOfDay(end: text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: TimeOfDay.validationMessage(text)))
            }
            self.time = time
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    public var description: String {
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }
}

extension KeyedDecodingContainer {
    /// The time of day at which something ends.
    public func decodeEnd(forKey key: Key) throws -> TimeOfDay { try decode(TimeOfDay.EndTime.self, forKey: key).time }
}

extension Calendar {
    static func houseCalendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}
