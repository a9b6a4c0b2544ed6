import Foundation
import Synchronization

/// Retry and circuit-breaker settings for a hub that does not answer or asks clients to wait.
public struct ResilienceSettings: Hashable, Sendable {
    /// The retries of repeatable calls.
    public var retry: RetryPolicy
    public var budget: RetryBudget
    /// Nil never stops calls, however many failed.
    public var breaker: CircuitBreaker?

    public init(retry: RetryPolicy = .standard, budget: RetryBudget = RetryBudget(), breaker: CircuitBreaker? = CircuitBreaker()) {
        self.retry = retry
        self.budget = budget
        self.breaker = breaker
    }

    /// For an app: three tries, and a pause of one minute after five failed calls in a row.
    public static let standard = ResilienceSettings()
    /// For an interactive program whose user decides: each failure is reported at once.
    public static let none = ResilienceSettings(retry: .never, breaker: nil)
}
