import Foundation
import Synchronization

/// The recent health of one hub, shared by all calls to it.
final class HubHealth: Sendable {
    private let state: Mutex<ResilienceSettings>

    init(_ resilience: ResilienceSettings) {
        state = Mutex(resilience)
    }

    /// The wait before a call may be sent; nil if it may be sent now.
    ///
    /// - Parameter isUrgent: true for a person at a door. Their call is never held back.
    func restTime(at now: @autoclosure () -> Date, isUrgent: Bool) -> TimeInterval? {
        isUrgent ? nil : state.withLock { $0.breaker?.admit(at: now()) }
    }

    /// Records the outcome of a call that was let through, after all its retries.
    func record(_ outcome: Result<TransportResponse, ClientError>, at now: @autoclosure () -> Date) {
        state.withLock { $0.breaker?.record(Self.outcome(outcome), at: now()) }
    }

    /// The wait before a failed call is retried; nil to give up.
    ///
    /// - Parameter isVital: true to retry also when the budget is spent.
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
        // Nothing was sent to the hub, or the caller no longer waited for the answer.
        case .failure: .abandoned
        }
    }

    /// A 5xx about a device, such as a jammed lock, is the answer of a healthy hub.
    private static func isHubFailure(_ response: TransportResponse) -> Bool {
        response.status >= 500
            && !["action_execution_failed", "outcome_unknown", "device_unreachable", "integration_not_ready", "clock_behind"].contains(
                APIError(response).code)
    }
}
