import Foundation

/// A judgement of the hub's clock. A clock without a battery starts in 1970; one that is given a wrong time jumps years ahead.
///
/// The latest trusted moment is kept. If the clock shows an earlier one, it is behind, and no pass that begins or ends by the clock opens
/// anything. If the clock has jumped ahead, it is distrusted for a while, and no data is deleted by it meanwhile.
public struct ClockTrust: Hashable, Sendable {
    /// The latest moment that was trusted.
    public var trustedUntil: Date
    /// The clock's time at the last observation.
    public var observedAt: Date
    /// The clock's time when it was first found ahead; nil while it is trusted.
    public var jumpedAt: Date?

    public init(trustedUntil: Date, observedAt: Date, jumpedAt: Date? = nil) {
        (self.trustedUntil, self.observedAt, self.jumpedAt) = (trustedUntil, observedAt, jumpedAt)
    }

    /// A clock that is trusted as it is.
    public init(trusting now: Date) {
        self.init(trustedUntil: now, observedAt: now)
    }

    public enum Status: Hashable, Sendable {
        case trusted
        /// The clock shows an earlier moment than the latest trusted one.
        case behind(by: TimeInterval)
        /// The clock shows a moment more than `jumpThreshold` after the latest trusted one. `until` is the moment at which it is trusted
        /// again by itself; nil if a person must confirm it.
        case ahead(by: TimeInterval, until: Date?)
    }

    /// Seconds by which a clock that is corrected may go back.
    public static let slack: TimeInterval = 5
    /// Seconds after the last trusted moment beyond which the clock counts as having jumped.
    public static let jumpThreshold: TimeInterval = 86_400
    /// Seconds for which a clock that jumped is distrusted: time enough for a person or a time server to correct it.
    public static let quarantine: TimeInterval = 86_400
    /// Seconds ahead beyond which the clock is trusted only after a person confirms it.
    public static let maximumJump: TimeInterval = 30 * 86_400

    public func status(at now: Date) -> Status {
        let since = now.timeIntervalSince(trustedUntil)
        if since < -Self.slack { return .behind(by: -since) }
        guard let jumpedAt, since > Self.jumpThreshold else {
            return since > Self.jumpThreshold ? .ahead(by: since, until: trustedAt(from: now)) : .trusted
        }
        return .ahead(by: since, until: trustedAt(from: jumpedAt))
    }

    /// The moment for deletion by age: the clock's time, or the latest trusted moment while the clock is ahead.
    public func trustedTime(of now: Date) -> Date {
        if case .ahead = status(at: now) { trustedUntil } else { now }
    }

    /// Updates the trust from the clock's present time.
    public mutating func observe(at now: Date) {
        defer { observedAt = now }
        switch status(at: now) {
        case .behind: jumpedAt = nil
        case .trusted: (trustedUntil, jumpedAt) = (max(trustedUntil, now), nil)
        case .ahead(_, let until):
            // Another jump, in either direction, restarts the doubt.
            let isSteady = (0...Self.jumpThreshold).contains(now.timeIntervalSince(observedAt))
            guard jumpedAt != nil, isSteady else { return jumpedAt = now }
            if let until, now >= until { self = ClockTrust(trusting: now) }
        }
    }

    private func trustedAt(from jumpedAt: Date) -> Date? {
        jumpedAt.timeIntervalSince(trustedUntil) > Self.maximumJump ? nil : jumpedAt.addingTimeInterval(Self.quarantine)
    }
}
