import Foundation

/// Rules of the loops, as the contract has them. Seconds.
public enum LoopRules {
    /// The time from the beginning of one round to the next.
    public static let round: TimeInterval = 0.1
    /// The least time between two learning phases.
    public static let learning: TimeInterval = 60
    /// The longest time to wait for a result. A longer one is a violation.
    public static let response: TimeInterval = 30
    /// The number of violations within the hour that leads to safe mode. One critical violation is enough.
    public static let violations = 5
    public static let window: TimeInterval = 3600
}
