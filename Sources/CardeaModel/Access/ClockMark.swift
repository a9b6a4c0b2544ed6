import Foundation

/// What a house makes of what its clock says: a clock without a battery starts in 1970, one that is told a wrong time leaps years ahead.
///
/// The house keeps the latest moment it was sure of. A clock that says an earlier one is behind, and no pass that ends or begins by the clock
/// opens anything. A clock that has leapt ahead is doubted for a while, and meanwhile nothing is forgotten by it.
public struct ClockMark: Hashable, Sendable {
    /// The latest moment the house was sure of.
    public var sureAt: Date
    /// What the clock said when it was last looked at.
    public var lookedAt: Date
    /// What the clock said when it was first found ahead; nil while it is believed.
    public var leaptAt: Date?

    public init(sureAt: Date, lookedAt: Date, leaptAt: Date? = nil) {
        (self.sureAt, self.lookedAt, self.leaptAt) = (sureAt, lookedAt, leaptAt)
    }

    /// A clock that is believed as it is.
    public init(trusting now: Date) {
        self.init(sureAt: now, lookedAt: now)
    }

    public enum Standing: Hashable, Sendable {
        case sure
        /// It says an earlier moment than one that has been.
        case behind(by: TimeInterval)
        /// It says a moment much later than the last one that is sure. Until when it is doubted, where it is believed by itself then.
        case ahead(by: TimeInterval, until: Date?)
    }

    /// Seconds that a clock which is set right may go back.
    public static let slack: TimeInterval = 5
    /// Seconds without a look after which it may have leapt.
    public static let leap: TimeInterval = 86_400
    /// Seconds for which one that has leapt is doubted: time enough to be set right by whoever is told, or by a time server.
    public static let doubt: TimeInterval = 86_400
    /// What is further ahead is believed only when somebody says that it is right.
    public static let longest: TimeInterval = 30 * 86_400

    public func standing(at now: Date) -> Standing {
        let since = now.timeIntervalSince(sureAt)
        if since < -Self.slack { return .behind(by: -since) }
        guard let leaptAt, since > Self.leap else { return since > Self.leap ? .ahead(by: since, until: trusted(from: now)) : .sure }
        return .ahead(by: since, until: trusted(from: leaptAt))
    }

    /// The moment by which things are forgotten: what the clock says, or the last that is sure while it is doubted.
    public func sure(of now: Date) -> Date {
        if case .ahead = standing(at: now) { sureAt } else { now }
    }

    /// Takes in what the clock says now.
    public mutating func look(at now: Date) {
        defer { lookedAt = now }
        switch standing(at: now) {
        case .behind: leaptAt = nil
        case .sure: (sureAt, leaptAt) = (max(sureAt, now), nil)
        case .ahead(_, let until):
            // Another leap, either way, begins the doubt again.
            let isSteady = (0...Self.leap).contains(now.timeIntervalSince(lookedAt))
            guard leaptAt != nil, isSteady else { return leaptAt = now }
            if let until, now >= until { self = ClockMark(trusting: now) }
        }
    }

    private func trusted(from leaptAt: Date) -> Date? {
        leaptAt.timeIntervalSince(sureAt) > Self.longest ? nil : leaptAt.addingTimeInterval(Self.doubt)
    }
}
