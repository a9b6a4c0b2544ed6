import Foundation

/// How something stands now, and the hours in which it stood so before.
struct ActivityTracker: Codable, Hashable, Sendable {
    private(set) var hours = WeeklyHourTable()
    /// Nil while nobody knows.
    private(set) var isActive: Bool?
    private(set) var since: Date?
    /// The happening that made it so.
    private(set) var ground: EvidenceReference?
    /// Up to when the hours are counted.
    private var countedTo: Date?
    /// Days on which it was known.
    private(set) var days = 0
    private var lastDay: Int?

    /// More days than this prove no more.
    static let dayLimit = 10_000

    /// Counts the time up to `now`, in which nothing changed.
    mutating func advance(to now: Date, in zone: TimeZone, counting: Bool = true) {
        guard let isActive, let from = countedTo, from < now else { return }
        if counting { hours.add(from: from, to: now, isActive: isActive, in: zone) }
        countedTo = now
        let day = LocalHour(now, in: zone).day
        if day != lastDay {
            days = min(days + 1, Self.dayLimit)
            lastDay = day
        }
    }

    /// What is said late, about a time already counted, changes how it stands and nothing that was counted.
    mutating func setActive(_ active: Bool?, at: Date, by ground: EvidenceReference?) {
        if countedTo.map({ $0 < at }) ?? true { countedTo = at }
        guard active != isActive else { return }
        isActive = active
        since = active == nil ? nil : at
        self.ground = active == nil ? nil : ground
    }

    /// Brings back what a clock that was wrong for a while has put into the future.
    mutating func clampToPresent(at now: Date) {
        if let counted = countedTo, counted > now { countedTo = now }
        if let began = since, began > now { since = now }
    }

    mutating func reset() {
        hours = WeeklyHourTable()
        days = 0
    }
}
