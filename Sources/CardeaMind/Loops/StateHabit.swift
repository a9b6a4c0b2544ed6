import Foundation

/// The learned habits of one door, cover or lamp.
struct StateHabit: Codable, Hashable, Sendable {
    var deviceID: String?
    var sort: RestStateKind
    private(set) var track = ActivityTracker()
    private(set) var closings = ClosingTimes()
    /// The durations for which it was open or on, as logarithms of minutes.
    private(set) var stays = RunningStatistics()
    private(set) var seenAt: Date?

    init(deviceID: String?, sort: RestStateKind) {
        self.deviceID = deviceID
        self.sort = sort
    }

    /// - Parameter learns: the parts that may be learned. A habit deleted by a person is not.
    mutating func advance(to now: Date, in zone: TimeZone, learns: (hours: Bool, closings: Bool)) {
        track.advance(to: now, in: zone, counting: learns.hours)
        if learns.closings { closings.advance(to: now, isActive: track.isActive, in: zone) }
    }

    mutating func setState(
        _ restState: RestState?, at: Date, by ground: EvidenceReference?, in zone: TimeZone, learns: (hours: Bool, closings: Bool)
    ) {
        advance(to: at, in: zone, learns: learns)
        seenAt = max(seenAt ?? at, at)
        if track.isActive == true, restState == .resting, let since = track.since {
            if learns.hours { stays.add(log(max(at.timeIntervalSince(since) / 60, 0.1)), fading: 0.98) }
            if learns.closings { closings.recordClosing(at: at, in: zone) }
        }
        track.setActive(restState.map { $0 == .active }, at: at, by: ground)
    }

    mutating func clampToPresent(at now: Date, in zone: TimeZone) {
        track.clampToPresent(at: now)
        closings.clampToPresent(at: now, in: zone)
        if let seen = seenAt, seen > now { seenAt = now }
    }

    mutating func forgetHours() {
        track.reset()
        stays = RunningStatistics()
    }

    mutating func forgetClosings() { closings = ClosingTimes() }

    /// Minutes for which it is rarely open or on for longer; nil if too little is known.
    var longActiveTime: Double? {
        guard stays.count >= 5 else { return nil }
        return max(exp(min(stays.mean + 3 * max(stays.deviation, 0.5), 20)), 30)
    }
}
