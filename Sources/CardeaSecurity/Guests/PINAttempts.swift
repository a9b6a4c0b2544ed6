import Foundation

/// The limit for wrong PINs: three are free, then each wrong one doubles the delay, and the tenth is the last.
public struct PINAttempts: Codable, Hashable, Sendable {
    public static let limit = 10
    static let freeAttempts = 3
    /// Seconds after the third wrong one.
    static let firstDelay: TimeInterval = 30

    public private(set) var wrong = 0
    private var lastAt: Date?

    public init() {}

    /// Tries that are left.
    public var remaining: Int { max(0, Self.limit - wrong) }

    /// Seconds until the next try is accepted; nil if it is accepted now.
    public func wait(at now: Date) -> TimeInterval? {
        guard wrong >= Self.freeAttempts, let lastAt else { return nil }
        let pause = Self.firstDelay * Double(1 << min(wrong - Self.freeAttempts, Self.limit))
        // A clock that was set back locks out for no longer than the pause itself.
        let left = min(pause, pause - now.timeIntervalSince(lastAt))
        return left > 0 ? left : nil
    }

    /// Counts a try before its result is known: an interrupted one counts.
    mutating func recordAttempt(at now: Date) {
        wrong = min(wrong, Self.limit) + 1
        lastAt = now
    }

    mutating func reset() { self = PINAttempts() }
}
