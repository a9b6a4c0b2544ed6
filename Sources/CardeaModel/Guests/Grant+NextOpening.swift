import Foundation

extension Grant {
    /// The first moment after `now` at which the pass works, by its beginning, its hours and its end alone.
    ///
    /// Nil if it works now, and if it never does again by itself: it is taken back, refused, paused or used up, or no window of its hours
    /// begins before its end. A phone that still waits for a yes changes nothing here.
    public func nextOpening(after now: Date, in zone: TimeZone) -> Date? {
        var approved = self
        approved.isApproved = true
        switch Gate.validityRefusal(of: approved, at: now) {
        case .none, .some(.notYetValid): break
        case .some: return nil
        }
        let from = max(now, startsAt ?? now)
        var next: Date? = from
        if let schedule, !schedule.contains(from, in: zone) { next = schedule.nextOpening(after: from, in: zone) }
        guard let next, next > now else { return nil }
        if let expiresAt, next >= expiresAt { return nil }
        return next
    }
}
