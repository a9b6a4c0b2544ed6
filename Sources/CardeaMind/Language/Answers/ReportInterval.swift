import CardeaModel
import Foundation

/// The usual interval between a device's reports, by the hours in which it reported.
struct ReportInterval: Hashable, Sendable {
    /// The beginning of the last hour with a report.
    let last: Date
    /// Seconds between two such hours, at most.
    let longest: TimeInterval

    /// The fewest hours from which an interval is calculated.
    static let minimumSamples = 12
    /// Seconds of silence that never cause doubt.
    static let minimumSilence: TimeInterval = 3 * 3600

    /// - Parameter hours: oldest first. The result is nil if there are too few.
    init?(_ hours: [Date]) {
        guard hours.count >= Self.minimumSamples, let last = hours.last else { return nil }
        self.last = last
        longest = zip(hours, hours.dropFirst()).map { $1.timeIntervalSince($0) }.max() ?? 0
    }

    /// The time since which it has been silent for unusually long; nil if it has not.
    ///
    /// - Parameter seen: the last time the device was heard from in any way.
    func silence(at now: Date, seen: Date?) -> Date? {
        let since = max(last.addingTimeInterval(3600), seen ?? .distantPast)
        return now.timeIntervalSince(since) > max(2 * longest, Self.minimumSilence) ? since : nil
    }
}
