import Foundation

/// A date and time as devices write it (ISO 8601), and as Home Assistant shows it.
struct Timestamp: Hashable, Sendable {
    /// Seconds since 1970 as the clock of its own zone shows them.
    private let wall: Int
    private let microseconds: Int
    /// Seconds east of UTC; nil if the text names no zone.
    private let offset: Int?

    /// Reads `2026-11-28`, `2026-11-28 20:11` or `2026-11-28T20:11:05.123+01:00`; nil for anything else.
    init?(_ text: String) {
        var rest = text.trimmingCharacters(in: .whitespaces)[...]
        func digits(_ count: Int) -> Int? {
            let part = rest.prefix(count)
            guard part.utf8.count == count, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest = rest.dropFirst(count)
            return Int(part)
        }
        func take(_ characters: String) -> Bool {
            guard let first = rest.first, characters.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = digits(4), year > 0 else { return nil }
        // `20261128T201105` is the same without the separators.
        let isDashed = take("-")
        guard let month = digits(2), take("-") == isDashed, let day = digits(2), (1...12).contains(month),
            (1...Self.days(in: month, of: year)).contains(day)
        else { return nil }
        var (hour, minute, second, microseconds) = (0, 0, 0, 0)
        if take("T t") {
            guard let hours = digits(2) else { return nil }
            let isSeparated = take(":")
            guard let minutes = digits(2), hours < 24, minutes < 60 else { return nil }
            (hour, minute) = (hours, minutes)
            if isSeparated ? take(":") : rest.first?.isNumber == true {
                guard let seconds = digits(2), seconds < 60 else { return nil }
                second = seconds
                if take(".,") {
                    let fraction = rest.prefix { $0.isASCII && $0.isNumber }
                    guard !fraction.isEmpty, let number = Int((fraction.prefix(6) + "000000").prefix(6)) else { return nil }
                    microseconds = number
                    rest = rest.dropFirst(fraction.count)
                }
            }
        }
        var offset: Int?
        _ = take(" ")
        if take("Zz") {
            offset = 0
        } else if let sign = rest.first, sign == "+" || sign == "-" {
            rest = rest.dropFirst()
            guard let hours = digits(2), hours < 24 else { return nil }
            let isSeparated = take(":")
            let minutes = digits(2)
            guard minutes != nil || !isSeparated, (minutes ?? 0) < 60 else { return nil }
            offset = (hours * 60 + (minutes ?? 0)) * (sign == "-" ? -60 : 60)
        }
        guard rest.isEmpty else { return nil }
        wall = Self.day(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
        self.microseconds = microseconds
        self.offset = offset
    }

    /// The time in UTC to the second, `2026-11-28T20:11:05+00:00`; nil if the zone is not known.
    var universal: String? { offset.map { Self.text(wall - $0) + "+00:00" } }

    /// The date alone: `2026-11-28`.
    var date: String { String(Self.text(wall).prefix(10)) }

    /// The date and time with the zone that it had.
    var text: String {
        let micro = String(microseconds)
        let fraction = microseconds == 0 ? "" : "." + String(repeating: "0", count: 6 - micro.count) + micro
        guard let offset else { return Self.text(wall) + fraction }
        let minutes = abs(offset) / 60
        return Self.text(wall) + fraction + (offset < 0 ? "-" : "+") + Self.two(minutes / 60) + ":" + Self.two(minutes % 60)
    }

    /// A point in time in UTC to the millisecond: `2026-11-28T20:11:05.123Z`.
    static func text(of date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard let whole = Int(exactly: milliseconds), whole.magnitude < 253_402_300_800_000 else { return "unknown" }
        let (seconds, rest) = (Self.floor(whole, 1000), whole - Self.floor(whole, 1000) * 1000)
        let part = String(rest)
        return text(seconds) + "." + String(repeating: "0", count: 3 - part.count) + part + "Z"
    }

    // MARK: Calendar

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floor(_ number: Int, _ divisor: Int) -> Int {
        number / divisor - (number % divisor < 0 ? 1 : 0)
    }

    /// Days since 1970, by years that begin in March.
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = floor(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// `2026-11-28T20:11:05` of seconds since 1970.
    private static func text(_ seconds: Int) -> String {
        let days = floor(seconds, 86_400)
        let within = seconds - days * 86_400
        let shifted = days + 719_468
        let era = floor(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let number = String(year)
        let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
        let clock = [within / 3600, within / 60 % 60, within % 60].map(two).joined(separator: ":")
        return "\(padded)-\(two(month))-\(two(dayOfYear - (153 * part + 2) / 5 + 1))T\(clock)"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
