import Foundation

/// The number of retries of a failed call, and the pauses between them (Seed 004, items 31 and 8 of its holes).
///
/// Only repeatable calls are retried here. Calls that move something are not: a door command is valid for ten seconds, and `RetryRunner`
/// handles retries within them.
public struct RetryPolicy: Hashable, Sendable {
    /// Tries in all, the first among them; at least 1.
    public let attempts: Int
    /// The factor by which the maximum pause grows with each try; at least 1.
    public let multiplier: Double
    /// The maximum pause after the first try.
    public let initialDelay: Duration
    /// The maximum of all pauses.
    public let maximumDelay: Duration

    public init(attempts: Int, multiplier: Double, initialDelay: Duration, maximumDelay: Duration) {
        self.attempts = max(1, attempts)
        self.multiplier = multiplier.isFinite ? max(1, multiplier) : 1
        self.initialDelay = max(.zero, initialDelay)
        self.maximumDelay = max(.zero, maximumDelay)
    }

    /// 3 tries, 1 s doubled up to 30 s.
    public static let standard = RetryPolicy(attempts: 3, multiplier: 2, initialDelay: .seconds(1), maximumDelay: .seconds(30))
    /// 5 tries, half a second, half as much again each time, up to 10 s.
    public static let aggressive = RetryPolicy(attempts: 5, multiplier: 1.5, initialDelay: .milliseconds(500), maximumDelay: .seconds(10))
    /// A single try.
    public static let never = RetryPolicy(attempts: 1, multiplier: 1, initialDelay: .zero, maximumDelay: .zero)

    /// The longest pause after a try: min(initial × multiplierⁿ, maximum).
    ///
    /// - Parameter attempt: which try it was; the first is 0.
    public func longestDelay(after attempt: Int) -> Duration {
        // In seconds, because the power may exceed the range of a duration.
        let grown = initialDelay / .seconds(1) * pow(multiplier, Double(max(0, attempt)))
        return grown < maximumDelay / .seconds(1) ? .seconds(grown) : maximumDelay
    }

    /// The wait before the next try; nil to give up.
    ///
    /// The pause is random between zero and its maximum ("full jitter"), so that callers that failed together do not return together.
    /// - Parameters:
    ///   - attempt: the failed try, counted from 0.
    ///   - jitter: 0 to 1.
    ///   - retryAfter: the wait that the hub asks for (RFC 9110, section 10.2.3). If it is longer than the maximum pause, the call is not
    ///     retried.
    public func delay(after attempt: Int, jitter: Double, retryAfter: Duration? = nil) -> Duration? {
        guard attempt + 1 < attempts else { return nil }
        let pause = longestDelay(after: attempt) * min(max(jitter, 0), 1)
        guard let retryAfter else { return pause }
        return retryAfter > maximumDelay ? nil : max(pause, retryAfter)
    }
}
