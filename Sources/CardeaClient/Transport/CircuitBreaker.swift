import Foundation

/// Leaves a hub alone that does not answer (Seed 004, item 32): after some calls in a row that failed with all their tries nobody asks for a
/// while, then one call finds out whether it is back.
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
        /// The hub answered, if only to say no.
        case answered
        /// It did not, or it broke down.
        case failed
        /// Nobody waited for the answer.
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
        // More than the whole time to wait means that the clock was set back meanwhile.
        return wait > 0 && wait <= timeout ? .open(until: openUntil) : .halfOpen
    }

    /// Whether a call may go through; where it is to find out how the hub is, it is the only one. Seconds to wait, where it may not.
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

    /// What came of a call that was let through.
    public mutating func record(_ outcome: Outcome, at now: Date) {
        switch outcome {
        case .answered: (failures, openUntil, isProbing) = (0, nil, false)
        case .abandoned: isProbing = false
        case .failed:
            failures += 1
            // One that set out before it opened says nothing new.
            if case .open = state(at: now) { return }
            guard openUntil != nil || failures >= threshold else { return }
            (failures, openUntil, isProbing) = (threshold, now.addingTimeInterval(timeout), false)
        }
    }
}
