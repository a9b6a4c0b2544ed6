import Foundation

/// The present state of something that is active or not, and the hours in which it was active before.
struct ActivityTracker: Codable, Hashable, Sendable {
    private(set) var hours = WeeklyHourTable()
    /// Nil if it is not known.
    private(set) var isActive: Bool?
    private(set) var since: Date?
    /// The event that led to it.
    private(set) var ground: EvidenceReference?
    /// The time up to which the hours are counted.
    private var countedTo: Date?
    /// The number of days on which the state was known.
    private(set) var days = 0
    private var lastDay: Int?

    /// The largest count of days. More would add no certainty.
    static let dayLimit = 10_000

    /// Counts the time up to `now` with the state unchanged.
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

    /// Sets the present state. A late report about a time already counted changes the state, but not the counted hours.
    mutating func setActive(_ active: Bool?, at: Date, by ground: EvidenceReference?) {
        if countedTo.map({ $0 < at }) ?? true { countedTo = at }
        guard active != isActive else { return }
        isActive = active
        since = active == nil ? nil : at
        self.ground = active == nil ? nil : ground
    }

    /// Corrects times in the future, which a wrong clock has left.
    mutating func clampToPresent(at now: Date) {
        if let counted = countedTo, counted > now { countedTo = now }
        if let began = since, began > now { since = now }
    }

    mutating func reset() {
        hours = WeeklyHourTable()
        days = 0
    }
}
