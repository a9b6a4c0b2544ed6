import Foundation

/// A day of the calendar, by no clock and in no zone: `2026-11-30`.
public struct CalendarDay: Hashable, Sendable, Comparable {
    /// 1 to 9999.
    public let year: Int
    public let month: Int
    public let day: Int

    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(of: month, in: year) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } }), numbers.count == 3
        else { return nil }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    /// The day that a calendar on the wall shows at `instant`.
    public init(_ instant: Date, in zone: TimeZone) {
        let seconds = instant.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: instant))
        self.init(number: Int(clamping: Int64((min(max(seconds, -1e11), 1e12) / 86_400).rounded(.down))))
    }

    /// The first moment at which the wall shows `time` on this day; if clocks skip it, the first one after.
    public func moment(at time: TimeOfDay, in zone: TimeZone) -> Date {
        let noon = Double(number * 86_400 + 43_200)
        let offset = Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: noon)))
        return time.moment(on: Date(timeIntervalSince1970: noon - offset), last: false, zone: zone)
    }

    public func adding(days: Int) -> CalendarDay { CalendarDay(number: number + min(max(days, -Self.maximumOffset), Self.maximumOffset)) }

    /// So many months later, on the same day of the month; on the last one if the month has no such day.
    public func adding(months: Int) -> CalendarDay {
        let count = min(max(year * 12 + month - 1 + min(max(months, -Self.maximumOffset), Self.maximumOffset), 12), 9999 * 12 + 11)
        let (year, month) = (count / 12, count % 12 + 1)
        return CalendarDay(year: year, month: month, atMost: day)
    }

    /// Days from here to `other`.
    public func days(to other: CalendarDay) -> Int { other.number - number }

    /// Months from here to `other`, whatever day of them it is.
    func months(to other: CalendarDay) -> Int { (other.year - year) * 12 + other.month - month }

    public static func < (one: CalendarDay, other: CalendarDay) -> Bool {
        (one.year, one.month, one.day) < (other.year, other.month, other.day)
    }

    // MARK: Counting

    /// More days than the calendar has.
    private static let maximumOffset = 4_000_000

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1 January 1970, in the Gregorian calendar. Years begin with March here, so that the leap day is their last.
    private var number: Int {
        let (years, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 719_469
    }

    /// - Parameters:
    ///   - year: 1 to 9999.
    ///   - month: 1 to 12.
    ///   - day: 1 or more; the last one is meant if the month has no such day.
    private init(year: Int, month: Int, atMost day: Int) {
        (self.year, self.month, self.day) = (year, month, min(day, Self.days(of: month, in: year)))
    }

    private init(number: Int) {
        // From 1 January of the year 1 to 31 December 9999.
        let days = min(max(number, -719_162), 2_932_896) + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
        let months = (dayOfYear * 5 + 2) / 153
        month = months < 10 ? months + 3 : months - 9
        day = dayOfYear - (months * 153 + 2) / 5 + 1
        year = era * 400 + yearOfEra + (month < 3 ? 1 : 0)
    }
}

extension CalendarDay: Codable, CustomStringConvertible {
    public init(from decoder: any Decoder) throws {
        guard let day = CalendarDay(try decoder.singleValueContainer().decode(String.self)) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "must be a day such as 2026-11-30"))
        }
        self = day
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    public var description: String {
        func padded(_ number: Int, _ count: Int) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
