import Foundation

/// What is known of the usual ways of one door, cover or lamp.
struct StateHabit: Codable, Hashable, Sendable {
    var deviceID: String?
    var sort: Sort
    private(set) var track = Track()
    private(set) var closings = Closings()
    /// How long it stays open or on; of minutes, the logarithm.
    private(set) var stays = Usual()
    private(set) var seenAt: Date?

    init(deviceID: String?, sort: Sort) {
        self.deviceID = deviceID
        self.sort = sort
    }

    /// - Parameter learns: what of it may be learned; what a person said is to be forgotten is not.
    mutating func advance(to now: Date, in zone: TimeZone, learns: (hours: Bool, closings: Bool)) {
        track.advance(to: now, in: zone, counting: learns.hours)
        if learns.closings { closings.advance(to: now, isActive: track.isActive, in: zone) }
    }

    mutating func turn(_ posture: Posture?, at: Date, by ground: Ground?, in zone: TimeZone, learns: (hours: Bool, closings: Bool)) {
        advance(to: at, in: zone, learns: learns)
        seenAt = max(seenAt ?? at, at)
        if track.isActive == true, posture == .resting, let since = track.since {
            if learns.hours { stays.take(log(max(at.timeIntervalSince(since) / 60, 0.1)), fading: 0.98) }
            if learns.closings { closings.close(at: at, in: zone) }
        }
        track.turn(posture.map { $0 == .active }, at: at, by: ground)
    }

    mutating func mend(at now: Date, in zone: TimeZone) {
        track.mend(at: now)
        closings.mend(at: now, in: zone)
        if let seen = seenAt, seen > now { seenAt = now }
    }

    mutating func forgetHours() {
        track.forget()
        stays = Usual()
    }

    mutating func forgetClosings() { closings = Closings() }

    /// Minutes that it stays open or on but seldom; nil where too little is known.
    var longStay: Double? {
        guard stays.count >= 5 else { return nil }
        return max(exp(min(stays.mean + 3 * max(stays.deviation, 0.5), 20)), 30)
    }
}
