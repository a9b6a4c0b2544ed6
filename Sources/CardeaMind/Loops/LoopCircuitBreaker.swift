import Foundation

/// Leaves a part of a loop alone that keeps failing: after five failures in a row for five minutes, then one trial finds out whether it
/// works again (the contract's values).
public struct LoopCircuitBreaker: Codable, Hashable, Sendable {
    public enum State: String, Codable, Hashable, Sendable, CaseIterable {
        /// Runs are allowed.
        case closed
        /// Runs are refused.
        case open
        /// One trial run is allowed.
        case halfOpen = "half_open"
    }

    public static let threshold = 5
    /// Seconds.
    public static let cooldown: TimeInterval = 300

    /// Failures in a row.
    public private(set) var failures = 0
    private var openUntil: Date?
    private var isOnTrial = false

    public init() {}

    public func state(at now: Date) -> State {
        guard let openUntil else { return .closed }
        let wait = openUntil.timeIntervalSince(now)
        // A wait longer than the whole cooldown means that the clock was set back meanwhile.
        return wait > 0 && wait <= Self.cooldown ? .open : .halfOpen
    }

    /// Returns true if a run may start now. In half-open state only one run at a time may.
    public mutating func admit(at now: Date) -> Bool {
        switch state(at: now) {
        case .closed: return true
        case .open: return false
        case .halfOpen where isOnTrial: return false
        case .halfOpen:
            isOnTrial = true
            return true
        }
    }

    public mutating func recordSuccess() { (failures, openUntil, isOnTrial) = (0, nil, false) }

    public mutating func recordFailure(at now: Date) {
        failures = min(failures + 1, 1_000_000)
        isOnTrial = false
        if openUntil != nil || failures >= Self.threshold { openUntil = now.addingTimeInterval(Self.cooldown) }
    }

    /// Ends a run whose result was not awaited. It counts neither as success nor as failure.
    public mutating func abandon() { isOnTrial = false }
}
