import Foundation

/// How often a call is asked again that came to nothing, and after which pauses (Seed 004, items 31 and 8 of its holes).
///
/// Only calls that mean the same when asked twice are asked again. What moves something is not: a door's command is good for ten seconds,
/// and what is repeated within them is told by `RetryRunner`.
public struct RetryPolicy: Hashable, Sendable {
    /// Tries in all, the first among them; at least 1.
    public let attempts: Int
    /// By which the longest pause grows from one try to the next; at least 1.
    public let multiplier: Double
    /// The longest pause after the first try.
    public let initialDelay: Duration
    /// The longest pause of all.
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
    /// Asks once.
    public static let never = RetryPolicy(attempts: 1, multiplier: 1, initialDelay: .zero, maximumDelay: .zero)

    /// The longest pause after a try: min(initial × multiplierⁿ, maximum).
    ///
    /// - Parameter attempt: which try it was; the first is 0.
    public func longestDelay(after attempt: Int) -> Duration {
        // In seconds, since a power may grow beyond what a duration holds.
        let grown = initialDelay / .seconds(1) * pow(multiplier, Double(max(0, attempt)))
        return grown < maximumDelay / .seconds(1) ? .seconds(grown) : maximumDelay
    }

    /// How long to wait before the next try; nil to give up.
    ///
    /// The pause lies anywhere between nothing and the longest ("full jitter"), so that callers who failed together do not come back together.
    /// - Parameters:
    ///   - attempt: which try it was that failed; the first is 0.
    ///   - jitter: 0 to 1.
    ///   - retryAfter: how long the hub asks to be left alone (RFC 9110, section 10.2.3). Where that is longer than the longest pause of all,
    ///     nobody waits for it unasked.
    public func delay(after attempt: Int, jitter: Double, retryAfter: Duration? = nil) -> Duration? {
        guard attempt + 1 < attempts else { return nil }
        let pause = longestDelay(after: attempt) * min(max(jitter, 0), 1)
        guard let retryAfter else { return pause }
        return retryAfter > maximumDelay ? nil : max(pause, retryAfter)
    }
}

/// Keeps the tries again to a part of all calls: where most fail, asking again only adds to what is wrong
/// (gRPC proposal A6, "Throttling Retry Attempts and Hedged RPCs"). As it is by default, ten failures in a row end it, and one failed try in six
/// may go on for ever, as with Finagle's budget of 20 % ("RetryBudget"). gRPC's own example, five and one in eleven, is for clients with many
/// calls a second: of a household's few, a proxy that storms now and then had spent it.
public struct RetryBudget: Hashable, Sendable {
    private let capacity: Double
    private let refund: Double
    private var remaining: Double

    /// - Parameters:
    ///   - full: failures that spend all of it, and twice as many as end the tries again; 1 to 1000.
    ///   - refund: what a call that went well brings back; more than 0, at most 1.
    public init(full: Double = 20, refund: Double = 0.2) {
        self.capacity = full.isFinite ? min(max(full, 1), 1000) : 20
        self.refund = refund.isFinite ? min(max(refund, 0.001), 1) : 0.2
        remaining = self.capacity
    }

    /// Whether anything may be asked again: not once half of the budget is spent.
    public var allowsRetry: Bool { remaining > capacity / 2 }

    public mutating func recordSuccess() { remaining = min(capacity, remaining + refund) }
    public mutating func recordFailure() { remaining = max(0, remaining - 1) }
}
