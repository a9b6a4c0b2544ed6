import Foundation

/// What a house makes of what its clock says: a clock without a battery starts in 1970, one that is told a wrong time leaps years ahead.
///
/// The house keeps the latest moment it was sure of. A clock that says an earlier one is behind, and no pass that ends or begins by the clock
/// opens anything. A clock that has leapt ahead is doubted for a while, and meanwhile nothing is forgotten by it.
public struct ClockTrust: Hashable, Sendable {
    /// The latest moment the house was sure of.
    public var trustedUntil: Date
    /// What the clock said when it was last looked at.
    public var observedAt: Date
    /// What the clock said when it was first found ahead; nil while it is believed.
    public var jumpedAt: Date?

    public init(sureAt: Date, lookedAt: Date, leaptAt: Date? = nil) {
        (self.trustedUntil, self.observedAt, self.jumpedAt) = (sureAt, lookedAt, leaptAt)
    }

    /// A clock that is believed as it is.
    public init(trusting now: Date) {
        self.init(sureAt: now, lookedAt: now)
    }

    public enum Status: Hashable, Sendable {
        case trusted
        /// It says an earlier moment than one that has been.
        case behind(by: TimeInterval)
        /// It says a moment much later than the last one that is sure. Until when it is doubted, where it is believed by itself then.
        case ahead(by: TimeInterval, until: Date?)
    }

    /// Seconds that a clock which is set right may go back.
    public static let slack: TimeInterval = 5
    /// Seconds without a look after which it may have leapt.
    public static let jumpThreshold: TimeInterval = 86_400
    /// Seconds for which one that has leapt is doubted: time enough to be set right by whoever is told, or by a time server.
    public static let quarantine: TimeInterval = 86_400
    /// What is further ahead is believed only when somebody says that it is right.
    public static let maximumJump: TimeInterval = 30 * 86_400

    public func status(at now: Date) -> Status {
        let since = now.timeIntervalSince(trustedUntil)
        if since < -Self.slack { return .behind(by: -since) }
        guard let jumpedAt, since > Self.jumpThreshold else {
            return since > Self.jumpThreshold ? .ahead(by: since, until: trustedAt(from: now)) : .trusted
        }
        return .ahead(by: since, until: trustedAt(from: jumpedAt))
    }

    /// The moment by which things are forgotten: what the clock says, or the last that is sure while it is doubted.
    public func trustedTime(of now: Date) -> Date {
        if case .ahead = status(at: now) { trustedUntil } else { now }
    }

    /// Takes in what the clock says now.
    public mutating func observe(at now: Date) {
        defer { observedAt = now }
        switch status(at: now) {
        case .behind: jumpedAt = nil
        case .trusted: (trustedUntil, jumpedAt) = (max(trustedUntil, now), nil)
        case .ahead(_, let until):
            // Another leap, either way, begins the doubt again.
            let isSteady = (0...Self.jumpThreshold).contains(now.timeIntervalSince(observedAt))
            guard jumpedAt != nil, isSteady else { return jumpedAt = now }
            if let until, now >= until { self = ClockTrust(trusting: now) }
        }
    }

    private func trustedAt(from leaptAt: Date) -> Date? {
        leaptAt.timeIntervalSince(trustedUntil) > Self.maximumJump ? nil : leaptAt.addingTimeInterval(Self.quarantine)
    }
}
