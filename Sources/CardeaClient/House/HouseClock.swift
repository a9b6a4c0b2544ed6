import Foundation

/// Times as text, by the house's clock, because readers are or will be at its door.
public struct HouseClock: Sendable {
    public let zone: TimeZone
    public let now: Date

    public init(zone: TimeZone, now: Date) {
        self.zone = zone
        self.now = now
    }

    /// For a list: `14:31` today, then `yesterday 14:31`, `Tue 14:31`, `14 Nov 14:31`, `14 Nov 2025`.
    public func short(_ date: Date) -> String {
        let parts = calendar.dateComponents(Self.fields, from: date)
        let time = clock(parts)
        switch day(of: date) {
        case 0: return time
        case -1: return "yesterday \(time)"
        case 1: return "tomorrow \(time)"
        case -6 ... -2, 2...6: return "\(Self.days[parts.weekday ?? 0, default: ""].prefix(3)) \(time)"
        default:
            let day = "\(parts.day ?? 0) \(Self.months[parts.month ?? 0, default: ""].prefix(3))"
            return parts.year == calendar.component(.year, from: now) ? "\(day) \(time)" : "\(day) \(parts.year ?? 0)"
        }
    }

    /// For a sentence: `today at 14:31`, `tomorrow at 9:00`, `on Tuesday 24 November at 9:00`.
    public func spoken(_ date: Date) -> String {
        let parts = calendar.dateComponents(Self.fields, from: date)
        let time = "at \(clock(parts))"
        switch day(of: date) {
        case 0: return "today \(time)"
        case -1: return "yesterday \(time)"
        case 1: return "tomorrow \(time)"
        default:
            let weekday = Self.days[parts.weekday ?? 0, default: ""]
            let month = Self.months[parts.month ?? 0, default: ""]
            let year = parts.year == calendar.component(.year, from: now) ? "" : " \(parts.year ?? 0)"
            return "on \(weekday) \(parts.day ?? 0) \(month)\(year) \(time)"
        }
    }

    /// `from 14:00 to 18:00 today` if both are the same day, else both in full.
    public func range(_ start: Date, _ end: Date) -> String {
        guard day(of: start) == day(of: end) else { return "from \(short(start)) to \(short(end))" }
        let to = clock(calendar.dateComponents(Self.fields, from: end))
        let name = spoken(start).components(separatedBy: " at ").first ?? ""
        return "\(name) from \(clock(calendar.dateComponents(Self.fields, from: start))) to \(to)"
    }

    /// The time since `date`: `just now`, `40 s ago`, `2 min ago`, `3 h ago`, `5 days ago`. A time in the future, by a wrong clock, is just
    /// now.
    public func ago(_ date: Date) -> String {
        switch now.timeIntervalSince(date) {
        case ..<5: "just now"
        case let seconds where seconds < 60: "\(Int(seconds)) s ago"
        case let seconds where seconds < 3600: "\(Int(seconds / 60)) min ago"
        case let seconds where seconds < 2 * 86_400: "\(Int(seconds / 3600)) h ago"
        case let seconds: "\(Int(min(seconds / 86_400, 1e6))) days ago"
        }
    }

    /// `4:59`: the time left until `date`, never below zero.
    public func remaining(until date: Date) -> String {
        Self.minutes(max(0, Int(date.timeIntervalSince(now).rounded())))
    }

    /// Seconds as `m:ss`.
    public static func minutes(_ seconds: Int) -> String {
        "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }

    private func clock(_ parts: DateComponents) -> String {
        let minute = parts.minute ?? 0
        return "\(parts.hour ?? 0):\(minute < 10 ? "0" : "")\(minute)"
    }

    /// Days from today, by the house's midnights.
    private func day(of date: Date) -> Int {
        calendar.dateComponents([.day], from: calendar.startOfDay(for: now), to: calendar.startOfDay(for: date)).day ?? Int.max
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    private static let fields: Set<Calendar.Component> = [.year, .month, .day, .weekday, .hour, .minute]
    private static let days = [
        1: "Sunday", 2: "Monday", 3: "Tuesday", 4: "Wednesday", 5: "Thursday", 6: "Friday", 7: "Saturday",
    ]
    private static let months = [
        1: "January", 2: "February", 3: "March", 4: "April", 5: "May", 6: "June", 7: "July", 8: "August", 9: "September",
        10: "October", 11: "November", 12: "December",
    ]
}
