import Foundation

/// The length of an imagined change: `8h`, `2d`, `1h 30m`, `90 minutes`, `PT8H`, `P1DT12H`, `P2W`.
public enum WhatIfDuration {
    public enum DurationError: Error, Hashable, Sendable {
        case empty
        /// The text is longer than any duration needs.
        case tooMuchText
        case notANumber(String)
        case noUnit(String)
        case unknownUnit(String)
        /// A month or a year, whose number of days varies.
        case calendarUnit(String)
        case twice(String)
        /// Seconds; less than a minute.
        case tooShort(TimeInterval)
        /// Seconds; more than 31 days.
        case tooLong(TimeInterval)

        public var text: String {
            switch self {
            case .empty: "It is empty. Write a duration such as 8h, 2d or PT8H."
            case .tooMuchText: "The text is too long. Write a duration such as 8h, 2d or PT8H."
            case .notANumber(let text): "“\(text)” is not a duration. Write one such as 8h, 2d or PT8H."
            case .noUnit(let number): "\(number) has no unit. Write \(number)h or \(number)d."
            case .unknownUnit(let unit): "“\(unit)” is not a known unit. Use minutes, hours, days or weeks."
            case .calendarUnit(let unit): "“\(unit)” has no fixed length. Use days or weeks."
            case .twice(let unit): "“\(unit)” appears twice. Use each unit once."
            case .tooShort: "It must be at least one minute."
            case .tooLong: "It must be at most 31 days."
            }
        }
    }

    /// Seconds.
    public static let range: ClosedRange<TimeInterval> = 60...(31 * 86_400)

    /// Parses a duration, informal or ISO 8601.
    ///
    /// - Returns: seconds within `range`.
    public static func seconds(_ text: String) throws(DurationError) -> TimeInterval {
        guard text.utf8.count <= 64 else { throw .tooMuchText }
        let bare = text.lowercased().trimmingCharacters(in: .whitespacesAndNewlines)
        guard !bare.isEmpty else { throw .empty }
        let seconds = try bare.hasPrefix("p") ? parseISO8601(bare) : parseInformal(bare)
        guard seconds >= range.lowerBound else { throw .tooShort(seconds) }
        guard seconds <= range.upperBound else { throw .tooLong(seconds) }
        return seconds
    }

    /// Parses an informal duration.
    private static func parseInformal(_ text: String) throws(DurationError) -> TimeInterval {
        let units: [String: TimeInterval] = [
            "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60, "h": 3600,
            "hr": 3600, "hrs": 3600, "hour": 3600, "hours": 3600, "d": 86_400, "day": 86_400, "days": 86_400, "w": 604_800,
            "week": 604_800, "weeks": 604_800,
        ]
        return try sum(of: text, units: units, calendar: ["mo", "month", "months", "y", "yr", "year", "years"])
    }

    /// Parses an ISO 8601 duration: days before the T, hours after it.
    private static func parseISO8601(_ text: String) throws(DurationError) -> TimeInterval {
        let halves = text.dropFirst().split(separator: "t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (days, hours) = (halves.first ?? "", halves.count > 1 ? halves[1] : nil)
        guard !days.isEmpty || hours != nil, hours != "" else { throw .notANumber(text) }
        var seconds = 0.0
        if !days.isEmpty { seconds += try sum(of: days, units: ["d": 86_400, "w": 604_800], calendar: ["m", "y"]) }
        if let hours { seconds += try sum(of: hours, units: ["h": 3600, "m": 60, "s": 1], calendar: []) }
        return seconds
    }

    /// Adds up numbers with their units, in any order, each unit once.
    private static func sum(of text: String, units: [String: TimeInterval], calendar: Set<String>) throws(DurationError) -> TimeInterval {
        var (rest, sum, seen) = (Substring(text), 0.0, Set<TimeInterval>())
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count).drop { $0 == " " }
            guard let number = Double(digits.replacing(",", with: ".")), number.isFinite else {
                throw .notANumber(String(digits.isEmpty ? Substring(text) : digits))
            }
            guard !unit.isEmpty else { throw .noUnit(String(digits)) }
            guard !calendar.contains(String(unit)) else { throw .calendarUnit(String(unit)) }
            guard let length = units[String(unit)] else { throw .unknownUnit(String(unit)) }
            guard seen.insert(length).inserted else { throw .twice(String(unit)) }
            sum += number * length
        }
        return sum
    }
}
