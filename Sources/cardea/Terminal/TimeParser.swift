import CardeaAPI
import CardeaModel
import Foundation

/// Times as people write them, by the house's clock: `now`, `14:00`, `9.30`, `tomorrow 9:00`, `fri 18`, `2026-11-21 14:00`,
/// and RFC 3339 for those who mean it exactly.
struct TimeParser {
    let zone: TimeZone
    let now: Date

    /// A day without a time means its first moment if it is a beginning, and its last moment if it is an end.
    enum Boundary { case beginning, end }

    func date(_ text: String, _ edge: Boundary) -> Date? {
        let words = text.lowercased().replacingOccurrences(of: " at ", with: " ").split(separator: " ").map(String.init)
        if let exact = Timestamp.date(text) { return exact }
        switch words.count {
        case 1:
            if words[0] == "now" { return now }
            let iso = words[0].split(separator: "t", maxSplits: 1).map(String.init)
            if iso.count == 2, let day = day(iso[0]), let time = Self.time(iso[1], edge) { return moment(day, time) }
            if let time = Self.time(words[0], edge) { return moment(today, time) }
            guard let day = day(words[0]) else { return nil }
            return edge == .beginning ? calendar.startOfDay(for: day) : nextMidnight(after: day)
        case 2:
            guard let day = day(words[0]), let time = Self.time(words[1], edge) else { return nil }
            return moment(day, time)
        default: return nil
        }
    }

    /// The end of a pass: a time without a day is the first such time after the beginning.
    func end(_ text: String, after start: Date) -> Date? {
        guard let time = Self.time(text.lowercased(), .end) else { return date(text, .end) }
        guard let today = moment(start, time), today <= start else { return moment(start, time) }
        return calendar.date(byAdding: .day, value: 1, to: today).flatMap { moment($0, time) }
    }

    /// `90m`, `4h`, `2d`, `1w`, and several in a row.
    static func duration(_ text: String) -> TimeInterval? {
        var total: TimeInterval = 0
        var digits = ""
        for character in text.lowercased() where character != " " {
            if character.isASCII, character.isNumber || character == "." {
                digits.append(character)
            } else {
                guard let unit = units[character], let count = Double(digits), count.isFinite else { return nil }
                total += count * unit
                digits = ""
            }
        }
        return digits.isEmpty && total > 0 && total < 10 * 366 * 86_400 ? total : nil
    }

    /// Minutes since midnight of `9`, `9.30`, `09:30`. An end may be `24` or `24:00`, the midnight after the day.
    static func time(_ text: String, _ edge: Boundary) -> Int? {
        let parts = text.split(whereSeparator: { $0 == ":" || $0 == "." }).map(String.init)
        guard (1...2).contains(parts.count), parts.allSatisfy(isShortNumber),
            let hour = Int(parts[0]), (0...(edge == .end ? 24 : 23)).contains(hour)
        else { return nil }
        guard parts.count == 2 else { return text == parts[0] ? hour * 60 : nil }
        guard parts[1].count == 2, let minute = Int(parts[1]), (0...(hour == 24 ? 0 : 59)).contains(minute) else { return nil }
        return hour * 60 + minute
    }

    private static func isShortNumber(_ text: String) -> Bool {
        text.count <= 2 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Noon of a day, which survives every change of clocks.
    private func day(_ word: String) -> Date? {
        switch word {
        case "today": return today
        case "tomorrow": return calendar.date(byAdding: .day, value: 1, to: today)
        default: break
        }
        if let weekday = WeekdayParser.day(word) {
            let wanted = (Weekday.allCases.firstIndex(of: weekday) ?? 0) + 2
            let current = calendar.component(.weekday, from: today)
            return calendar.date(byAdding: .day, value: (wanted - current + 14) % 7, to: today)
        }
        let parts = word.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, (1970...9999).contains(parts[0]) else { return nil }
        let wanted = DateComponents(year: parts[0], month: parts[1], day: parts[2], hour: 12)
        guard let date = calendar.date(from: wanted), calendar.component(.day, from: date) == parts[2],
            calendar.component(.month, from: date) == parts[1]
        else { return nil }
        return date
    }

    private func nextMidnight(after day: Date) -> Date? {
        calendar.date(byAdding: .day, value: 1, to: day).map { calendar.startOfDay(for: $0) }
    }

    private func moment(_ day: Date, _ minutes: Int) -> Date? {
        if minutes == 1440 { return nextMidnight(after: day) }
        return calendar.date(bySettingHour: minutes / 60, minute: minutes % 60, second: 0, of: day)
    }

    private var today: Date {
        calendar.date(bySettingHour: 12, minute: 0, second: 0, of: now) ?? now
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    private static let units: [Character: TimeInterval] = ["m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400]
}
