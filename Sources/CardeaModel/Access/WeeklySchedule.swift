import Foundation

/// When in the week something is allowed, in the house's time zone.
///
/// A line's window belongs to the day it begins: Friday 22:00 to 02:00 ends on Saturday. When clocks change, a time that does
/// not exist becomes the first moment after the gap; of a time that comes twice, `from` means the first and `to` the last, so
/// that nobody stands before the door an hour early or late by the clock on the wall.
public struct WeeklySchedule: Codable, Hashable, Sendable {
    public var lines: [Line]

    public init(lines: [Line]) {
        self.lines = lines
    }

    public struct Line: Codable, Hashable, Sendable {
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
        let calendar = Calendar.house(zone)
        let today = calendar.startOfDay(for: instant)
        return (-1...0).contains { offset in
            windows(offset, from: today, calendar: calendar).contains { $0.start <= instant && instant < $0.end }
        }
    }

    /// The first moment after `instant` at which a window begins, or nil when no day is named.
    public func nextOpening(after instant: Date, in zone: TimeZone) -> Date? {
        let calendar = Calendar.house(zone)
        let today = calendar.startOfDay(for: instant)
        for offset in 0...8 {
            let starts = windows(offset, from: today, calendar: calendar).filter { $0.start > instant && $0.start < $0.end }
            if let first = starts.map(\.start).min() { return first }
        }
        return nil
    }

    private func windows(_ offset: Int, from today: Date, calendar: Calendar) -> [(start: Date, end: Date)] {
        // Noon survives every change of clocks, so a day is counted from noon to noon.
        guard let noon = calendar.date(byAdding: .hour, value: 12, to: today),
            let day = calendar.date(byAdding: .day, value: offset, to: noon),
            let next = calendar.date(byAdding: .day, value: 1, to: day),
            let weekday = Weekday(calendar.component(.weekday, from: day))
        else { return [] }
        return lines.filter { $0.days.contains(weekday) }.map { line in
            let endDay = line.to <= line.from ? next : day
            return (
                line.from.moment(on: day, last: false, calendar: calendar), line.to.moment(on: endDay, last: true, calendar: calendar)
            )
        }
    }
}

/// A day of the week, by its wire name.
public enum Weekday: String, Codable, Hashable, Sendable, CaseIterable {
    case mon, tue, wed, thu, fri, sat, sun

    /// From the Gregorian calendar's number, 1 for Sunday.
    init?(_ gregorian: Int) {
        switch gregorian {
        case 1: self = .sun
        case 2: self = .mon
        case 3: self = .tue
        case 4: self = .wed
        case 5: self = .thu
        case 6: self = .fri
        case 7: self = .sat
        default: return nil
        }
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

    public static func < (one: TimeOfDay, other: TimeOfDay) -> Bool { one.minutes < other.minutes }

    /// The instant at which the wall shows this time on `day`.
    func moment(on day: Date, last: Bool, calendar: Calendar) -> Date {
        let parts = calendar.dateComponents([.year, .month, .day], from: day)
        // The wall's reading as if there were no zone; the zone's offsets around it then say which instants show it.
        var plain = parts
        plain.hour = minutes / 60
        plain.minute = minutes % 60
        guard let wall = Calendar.utc.date(from: plain) else { return day }
        let zone = calendar.timeZone
        let offsets = [-86400.0, 86400.0].map { TimeInterval(zone.secondsFromGMT(for: wall.addingTimeInterval($0))) }
        let showing = Set(offsets).map { wall.addingTimeInterval(-$0) }
            .filter { TimeInterval(zone.secondsFromGMT(for: $0)) == wall.timeIntervalSince($0) }
        if let instant = last ? showing.max() : showing.min() { return instant }
        // In the gap: the first moment after it.
        let before = wall.addingTimeInterval(-(offsets.max() ?? 0)).addingTimeInterval(-7200)
        return zone.nextDaylightSavingTimeTransition(after: before) ?? wall.addingTimeInterval(-(offsets.min() ?? 0))
    }
}

extension TimeOfDay: Codable, CustomStringConvertible {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = TimeOfDay(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "a time is written HH:MM"))
        }
        self = time
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

extension Calendar {
    static func house(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    static let utc = house(TimeZone(secondsFromGMT: 0) ?? .gmt)
}
