import Foundation

/// Stops calls to a hub that does not answer (Seed 004, item 32): after several calls in a row failed with all their tries, none is sent
/// for a while. Then a single call probes whether the hub is back.
public struct CircuitBreaker: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        /// Calls go through.
        case closed
        /// None does, until then.
        case open(until: Date)
        /// One does, to find out.
        case halfOpen
    }

    public enum Outcome: Hashable, Sendable {
        /// The hub answered, if only with a refusal.
        case answered
        /// It did not, or it broke down.
        case failed
        /// The caller no longer waited for the answer.
        case abandoned
    }

    /// Calls in a row that failed, and open it; at least 1.
    public let threshold: Int
    /// Seconds for which it stays open.
    public let timeout: TimeInterval

    private var failures = 0
    private var openUntil: Date?
    private var isProbing = false

    public init(threshold: Int = 5, timeout: TimeInterval = 60) {
        self.threshold = max(1, threshold)
        self.timeout = timeout.isFinite ? max(0, timeout) : 60
    }

    public func state(at now: Date) -> State {
        guard let openUntil else { return .closed }
        let wait = openUntil.timeIntervalSince(now)
        // A wait longer than the timeout means that the clock was set back meanwhile.
        return wait > 0 && wait <= timeout ? .open(until: openUntil) : .halfOpen
    }

    /// Returns nil if a call may go through, else the seconds to wait. While half open, only a single probing call goes through.
    public mutating func admit(at now: Date) -> TimeInterval? {
        switch state(at: now) {
        case .closed: return nil
        case .open(let until): return until.timeIntervalSince(now)
        case .halfOpen where isProbing: return 1
        case .halfOpen:
            isProbing = true
            return nil
        }
    }

    /// Records the outcome of a call that was let through.
    public mutating func record(_ outcome: Outcome, at now: Date) {
        switch outcome {
        case .answered: (failures, openUntil, isProbing) = (0, nil, false)
        case .abandoned: isProbing = false
        case .failed:
            failures += 1
            // A call that started before the breaker opened adds no information.
            if case .open = state(at: now) { return }
            guard openUntil != nil || failures >= threshold else { return }
            (failures, openUntil, isProbing) = (threshold, now.addingTimeInterval(timeout), false)
        }
    }
}
