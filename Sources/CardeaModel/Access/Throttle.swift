import Foundation

/// A limit that delays further guesses after wrong ones. It counts failures only, and resets after a quiet period.
public struct Throttle: Hashable, Sendable {
    /// Failures that cost nothing.
    public let freeAttempts: Int
    /// Seconds after the first failure that does; doubled with every further one.
    public let firstDelay: TimeInterval
    public let maximumDelay: TimeInterval
    /// Seconds without a failure after which the count is reset.
    public let resetAfter: TimeInterval

    public init(free: Int, first: TimeInterval, longest: TimeInterval, memory: TimeInterval) {
        self.freeAttempts = free
        self.firstDelay = first
        self.maximumDelay = longest
        self.resetAfter = memory
    }

    /// Wrong passwords of one account, and of one address: five, then 1 s doubling to 5 min. Never a locked-out owner.
    public static let password = Throttle(free: 5, first: 1, longest: 300, memory: 3600)
    /// Wrong guest codes from one address.
    public static let codePerAddress = Throttle(free: 10, first: 2, longest: 600, memory: 3600)
    /// Wrong guest codes at the house from anywhere: it slows strangers down, a few seconds each.
    public static let codePerHouse = Throttle(free: 60, first: 1, longest: 8, memory: 600)
    /// Attempts with one code, such as a phone that asks whether it was approved. They never invalidate the code.
    public static let sameCode = Throttle(free: 60, first: 1, longest: 10, memory: 120)
    /// Phones that ask to be paired, from one address: five a minute.
    public static let phonePairingRequests = Throttle(free: 4, first: 12, longest: 60, memory: 60)
    /// Wrong digits from one address, and wrong digits that one person types.
    public static let phoneDigits = Throttle(free: 10, first: 2, longest: 600, memory: 3600)
    /// Wrong digits at the house from anywhere. It slows strangers down, but not the phone that asked, which shows its secret.
    public static let phoneDigitsPerHouse = Throttle(free: 20, first: 1, longest: 30, memory: 3600)
    /// Unknown bearer tokens from one address.
    public static let unknownTokens = Throttle(free: 30, first: 1, longest: 60, memory: 600)
    /// Records of strangers at the house from anywhere: at most so many, and then one a minute, until an hour has been quiet.
    public static let unknownTokensPerHouse = Throttle(free: 2000, first: 1, longest: 60, memory: 3600)
    /// Requests by a pass that the gate refuses: the limit is far above what a person who tries a door again and again reaches.
    public static let refusals = Throttle(free: 120, first: 1, longest: 60, memory: 600)

    /// Links that were no tag's, or had been used, from one person.
    public static let taps = Throttle(free: 30, first: 1, longest: 60, memory: 600)

    /// The recorded failures of one subject.
    public struct Record: Hashable, Sendable {
        public var failures: Int
        public var lastAt: Date

        public init(failures: Int, lastAt: Date) {
            self.failures = failures
            self.lastAt = lastAt
        }
    }

    /// Seconds until the next try is accepted; nil if it is accepted now.
    public func wait(_ record: Record?, at now: Date) -> TimeInterval? {
        guard let record, !isExpired(record, at: now), record.failures > freeAttempts else { return nil }
        let doublings = min(record.failures - freeAttempts - 1, 30)
        let pause = min(firstDelay * Double(1 << doublings), maximumDelay)
        // A clock that was set back must not lock a caller out for longer than the pause itself.
        let left = min(pause, pause - now.timeIntervalSince(record.lastAt))
        return left > 0 ? left : nil
    }

    /// Tries left before a delay, and the seconds until there are more of them; 0 if all are left.
    public func remaining(_ record: Record?, at now: Date) -> (tries: Int, after: TimeInterval) {
        guard let record, !isExpired(record, at: now) else { return (freeAttempts, 0) }
        if let wait = wait(record, at: now) { return (0, wait) }
        // After its pause the next attempt is checked, however many came before.
        return (max(1, freeAttempts - record.failures), min(resetAfter, resetAfter - now.timeIntervalSince(record.lastAt)))
    }

    /// The record after one more failure.
    public func recordingFailure(_ record: Record?, at now: Date) -> Record {
        guard let record, !isExpired(record, at: now) else { return Record(failures: 1, lastAt: now) }
        return Record(failures: min(record.failures, 999_999) + 1, lastAt: now)
    }

    private func isExpired(_ record: Record, at now: Date) -> Bool {
        now.timeIntervalSince(record.lastAt) >= resetAfter
    }
}
