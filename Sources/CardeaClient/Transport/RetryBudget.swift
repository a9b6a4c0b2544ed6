import Foundation

/// Limits retries to a share of all calls, because retries make an overload worse (gRPC proposal A6, "Throttling Retry Attempts and Hedged
/// RPCs"). By default, ten failures in a row end the retries, and one failed try in six can go on for ever, as with Finagle's budget of
/// 20 % ("RetryBudget"). gRPC's own example, five and one in eleven, is for clients with many calls a second: a household's few calls would
/// exhaust it with a proxy that fails now and then.
public struct RetryBudget: Hashable, Sendable {
    private let capacity: Double
    private let refund: Double
    private var remaining: Double

    /// - Parameters:
    ///   - full: the number of failures that spend the whole budget; retries end at half of it. 1 to 1000.
    ///   - refund: the amount that a successful call returns; more than 0, at most 1.
    public init(full: Double = 20, refund: Double = 0.2) {
        self.capacity = full.isFinite ? min(max(full, 1), 1000) : 20
        self.refund = refund.isFinite ? min(max(refund, 0.001), 1) : 0.2
        remaining = self.capacity
    }

    /// True while retries are allowed: until half of the budget is spent.
    public var allowsRetry: Bool { remaining > capacity / 2 }

    public mutating func recordSuccess() { remaining = min(capacity, remaining + refund) }
    public mutating func recordFailure() { remaining = max(0, remaining - 1) }
}
