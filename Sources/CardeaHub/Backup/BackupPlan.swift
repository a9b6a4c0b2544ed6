import CardeaModel
import Foundation

/// When backups are made and how long they are kept, as rules.
public struct BackupPlan: Hashable, Sendable {
    /// Hours from one to the next; nil for once a day, in the quiet hours.
    public var hours: Int?

    public init(hours: Int? = nil) { self.hours = hours }

    /// How many are kept.
    public static let keptCount = 14
    /// Days after which one goes, though there be fewer.
    public static let maxDays = 30
    /// Seconds after which one that came to nothing is tried again.
    public static let retryInterval: TimeInterval = 3600
    /// Where the house has no quiet hours, by its clock.
    private static let defaultTime = (hour: 3, minute: 15)

    /// The next moment for one.
    ///
    /// - Parameters:
    ///   - last: when the last good one was made; nil where there is none: then it is high time.
    ///   - now: one that a clock which ran ahead dated later than this counts for none.
    ///   - quiet: the house's quiet hours.
    public func next(after last: Date?, at now: Date, quiet: QuietHours?, zone: TimeZone) -> Date {
        guard let last, last <= now.addingTimeInterval(Self.retryInterval) else { return .distantPast }
        if let hours { return last.addingTimeInterval(Double(hours) * 3600) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        // Not again in the same night, where somebody has made one by hand an hour before.
        let earliest = last.addingTimeInterval(6 * 3600)
        var parts = DateComponents(hour: Self.defaultTime.hour, minute: Self.defaultTime.minute)
        if let quiet, let night = calendar.nextDate(after: earliest, matching: parts, matchingPolicy: .nextTime),
            !quiet.contains(night, in: zone)
        {
            parts = DateComponents(hour: quiet.from.minutes / 60, minute: quiet.from.minutes % 60)
        }
        return calendar.nextDate(after: earliest, matching: parts, matchingPolicy: .nextTime) ?? last.addingTimeInterval(86_400)
    }

    /// Those that go: all but the latest fourteen, and what is older than thirty days. The latest one stays, however old it is: without it
    /// there would be none.
    ///
    /// - Parameter sure: the moment by which one is too old, where the clock is doubted.
    public static func outdated(_ made: [(name: String, at: Date)], at now: Date, sure: Date? = nil) -> [String] {
        // Those that a clock which ran ahead dated are behind all others, or each new one would be the oldest.
        let sorted = made.sorted {
            ($0.at > now.addingTimeInterval(retryInterval) ? 0 : 1, $0.at) > ($1.at > now.addingTimeInterval(retryInterval) ? 0 : 1, $1.at)
        }
        return sorted.enumerated().filter { place, one in
            place > 0 && (place >= keptCount || (sure ?? now).timeIntervalSince(one.at) > Double(maxDays) * 86_400)
        }.map(\.element.name)
    }
}
