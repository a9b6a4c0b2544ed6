import Foundation
import Synchronization

/// What a client does about a hub that does not answer, or asks to be left alone.
public struct Resilience: Hashable, Sendable {
    /// How often a call is asked again that means the same when asked twice.
    public var retry: RetryPolicy
    public var budget: RetryBudget
    /// Nil asks however often it failed.
    public var breaker: CircuitBreaker?

    public init(retry: RetryPolicy = .standard, budget: RetryBudget = RetryBudget(), breaker: CircuitBreaker? = CircuitBreaker()) {
        self.retry = retry
        self.budget = budget
        self.breaker = breaker
    }

    /// For an app: three tries, and a minute's rest after five calls in a row that failed.
    public static let standard = Resilience()
    /// For somebody who sits before it and decides: each failure is told at once.
    public static let none = Resilience(retry: .never, breaker: nil)
}
