import Foundation

/// Rules of the loops, as the contract has them. Seconds.
public enum LoopRules {
    /// From the beginning of one round to the next.
    public static let round: TimeInterval = 0.1
    /// It learns no more often than this.
    public static let learning: TimeInterval = 60
    /// An answer that takes so long is a violation, and is not waited for.
    public static let response: TimeInterval = 30
    /// So many violations within the hour end in safe mode; of the critical ones, one.
    public static let violations = 5
    public static let window: TimeInterval = 3600
}
