import Foundation
import Synchronization

/// How one hub has been lately, for all who ask it.
final class HubHealth: Sendable {
    private let state: Mutex<Resilience>

    init(_ resilience: Resilience) {
        state = Mutex(resilience)
    }

    /// How long to leave the hub alone; nil to ask it.
    ///
    /// - Parameter isUrgent: somebody stands at a door. They are not kept from trying.
    func restTime(at now: @autoclosure () -> Date, isUrgent: Bool) -> TimeInterval? {
        isUrgent ? nil : state.withLock { $0.breaker?.admit(at: now()) }
    }

    /// What came of a call that was let through, with all that was repeated within it.
    func record(_ outcome: Result<TransportResponse, ClientError>, at now: @autoclosure () -> Date) {
        state.withLock { $0.breaker?.record(Self.outcome(outcome), at: now()) }
    }

    /// How long to wait before a call that failed is asked again; nil to give up.
    ///
    /// - Parameter isVital: asked again also where the budget is spent.
    func retryDelay(
        after outcome: Result<TransportResponse, ClientError>, attempt: Int, jitter: Double, isVital: Bool = false
    ) -> Duration? {
        var retryAfter: Duration?
        switch outcome {
        case .success(let response):
            let refusal = response.isSuccess ? nil : APIError(response)
            guard let refusal, refusal.isRetryable else {
                state.withLock { $0.budget.recordSuccess() }
                return nil
            }
            retryAfter = refusal.retryAfter
        case .failure(let error):
            guard error.isRetryable else { return nil }
        }
        return state.withLock { state in
            state.budget.recordFailure()
            return isVital || state.budget.allowsRetry ? state.retry.delay(after: attempt, jitter: jitter, retryAfter: retryAfter) : nil
        }
    }

    private static func outcome(_ outcome: Result<TransportResponse, ClientError>) -> CircuitBreaker.Outcome {
        switch outcome {
        case .success(let response): isHubFailure(response) ? .failed : .answered
        case .failure(.noConnection), .failure(.interrupted), .failure(.timeout): .failed
        case .failure(.invalidResponse): .answered
        // Nothing was asked of the hub, or nobody waited for what it would say.
        case .failure: .abandoned
        }
    }

    /// A 5xx that speaks of a device, a jammed lock perhaps, is the answer of a hub that is well.
    private static func isHubFailure(_ response: TransportResponse) -> Bool {
        response.status >= 500
            && !["action_execution_failed", "outcome_unknown", "device_unreachable", "integration_not_ready", "clock_behind"].contains(
                APIError(response).code)
    }
}
