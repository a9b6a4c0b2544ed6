/// The wait before a retry: a random time up to a bound that doubles, so that many clients do not return at once.
public struct Backoff: Hashable, Sendable {
    public var base: Duration
    public var cap: Duration
    private var failures = 0

    public init(base: Duration = .milliseconds(500), cap: Duration = .seconds(30)) {
        self.base = base
        self.cap = cap
    }

    /// The longest the next wait may be.
    public var bound: Duration {
        var bound = base
        for _ in 0..<failures where bound < cap { bound *= 2 }
        return min(bound, cap)
    }

    /// Returns the next wait, spread by `random` between 0 and 1.
    public mutating func next(random: Double) -> Duration {
        defer { if failures < 64 { failures += 1 } }
        return bound * min(max(random, 0), 1)
    }

    public mutating func reset() { failures = 0 }
}
