import Foundation

/// The usual closing time of a door, lock or lamp for the night.
///
/// A night belongs to the evening before: a day runs from four in the morning to the next four.
struct ClosingTimes: Codable, Hashable, Sendable {
    /// Minutes after four.
    private(set) var all = RunningStatistics()
    private(set) var byWeekday = [RunningStatistics](repeating: RunningStatistics(), count: 7)
    /// The number of nights on which it was shut, and of nights through which it was open.
    private(set) var shut = 0
    private(set) var left = 0
    private var day: Int?
    /// The last time today that it was shut.
    private var latest: Int?

    static let decay = 0.97
    static let dayStart: TimeInterval = 4 * 3600
    /// Minutes. The smallest deviation assumed for any habit.
    static let minimumDeviation = 20.0

    static func position(_ moment: Date, in zone: TimeZone) -> (day: Int, weekday: Int, minute: Int) {
        let hour = LocalHour(moment.addingTimeInterval(-dayStart), in: zone)
        return (hour.day, hour.weekday, hour.minute)
    }

    /// Closes the days that are over by `now`.
    mutating func advance(to now: Date, isActive: Bool?, in zone: TimeZone) {
        let today = Self.position(now, in: zone).day
        guard let day, day < today else {
            if day == nil { day = today }
            return
        }
        if isActive == true {
            left = min(left + min(today - day, 30), ActivityTracker.dayLimit)
        } else if isActive == false, let latest {
            shut = min(shut + 1, ActivityTracker.dayLimit)
            all.add(Double(latest), fading: Self.decay)
            let weekday = ((day % 7) + 10) % 7
            if byWeekday.indices.contains(weekday) { byWeekday[weekday].add(Double(latest), fading: Self.decay) }
        }
        self.day = today
        latest = nil
    }

    /// See `ActivityTracker.clampToPresent`.
    mutating func clampToPresent(at now: Date, in zone: TimeZone) {
        let today = Self.position(now, in: zone).day
        if let ahead = day, ahead > today { (day, latest) = (today, nil) }
    }

    mutating func recordClosing(at moment: Date, in zone: TimeZone) { latest = Self.position(moment, in: zone).minute }

    /// The certainty that it is shut at all before the night is over: the share of nights, with one of each sort added.
    var confidence: Double { Double(shut + 1) / Double(shut + left + 2) }

    /// The usual minute after four and its standard deviation, on this day of the week if that is known well enough.
    func usual(on weekday: Int) -> (mean: Double, deviation: Double)? {
        guard all.count > 0 else { return nil }
        guard byWeekday.indices.contains(weekday), byWeekday[weekday].count >= 6 else { return (all.mean, all.deviation) }
        let (own, count) = (byWeekday[weekday], byWeekday[weekday].count)
        // The few values of one weekday vary less by chance than they should, so part of the overall variance is added.
        let variance = (own.variance * count + all.variance * 6) / (count + 6)
        return (own.mean, variance.squareRoot())
    }

    /// The minute after four by which it is shut except once in hundreds of days; nil if that is the whole night.
    func deadline(on weekday: Int) -> Double? {
        guard let (mean, deviation) = usual(on: weekday) else { return nil }
        let latest = ((mean + 3 * max(deviation, Self.minimumDeviation)) / 5).rounded(.up) * 5
        return latest < 1440 ? latest : nil
    }
}
