import CardeaModel
import Foundation

/// The rules for when backups are made and how long they are kept.
public struct BackupPlan: Hashable, Sendable {
    /// Hours between two backups; nil for one a day, in the quiet hours.
    public var hours: Int?

    public init(hours: Int? = nil) { self.hours = hours }

    /// The number of backups that are kept.
    public static let keptCount = 14
    /// Days after which a backup is deleted, even if there are fewer.
    public static let maxDays = 30
    /// Seconds until a failed backup is retried.
    public static let retryInterval: TimeInterval = 3600
    /// The time of the backup in a house without quiet hours, by its clock.
    private static let defaultTime = (hour: 3, minute: 15)

    /// The time of the next backup.
    ///
    /// - Parameters:
    ///   - last: when the last good one was made; nil if there is none: then it is due at once.
    ///   - now: a last backup dated later than this, by a clock that ran ahead, is ignored.
    ///   - quiet: the house's quiet hours.
    public func next(after last: Date?, at now: Date, quiet: QuietHours?, zone: TimeZone) -> Date {
        guard let last, last <= now.addingTimeInterval(Self.retryInterval) else { return .distantPast }
        if let hours { return last.addingTimeInterval(Double(hours) * 3600) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        // Not again in the same night after a manual backup an hour before.
        let earliest = last.addingTimeInterval(6 * 3600)
        var parts = DateComponents(hour: Self.defaultTime.hour, minute: Self.defaultTime.minute)
        if let quiet, let night = calendar.nextDate(after: earliest, matching: parts, matchingPolicy: .nextTime),
            !quiet.contains(night, in: zone)
        {
            parts = DateComponents(hour: quiet.from.minutes / 60, minute: quiet.from.minutes % 60)
        }
        return calendar.nextDate(after: earliest, matching: parts, matchingPolicy: .nextTime) ?? last.addingTimeInterval(86_400)
    }

    /// The backups to delete: all but the latest fourteen, and those older than thirty days. The latest one stays, however old it is:
    /// without it there would be none.
    ///
    /// - Parameter sure: the trusted time to measure age by, if the clock is in doubt.
    public static func outdated(_ made: [(name: String, at: Date)], at now: Date, sure: Date? = nil) -> [String] {
        // Backups dated by a clock that ran ahead come last, or each new one would be the oldest.
        let sorted = made.sorted {
            ($0.at > now.addingTimeInterval(retryInterval) ? 0 : 1, $0.at) > ($1.at > now.addingTimeInterval(retryInterval) ? 0 : 1, $1.at)
        }
        return sorted.enumerated().filter { place, one in
            place > 0 && (place >= keptCount || (sure ?? now).timeIntervalSince(one.at) > Double(maxDays) * 86_400)
        }.map(\.element.name)
    }
}
