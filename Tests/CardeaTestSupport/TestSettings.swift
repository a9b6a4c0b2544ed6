import Foundation

/// The seeds of the tests' random numbers. They are fixed, so that every run does the same; `CARDEA_SEED` sets another.
public enum TestSeed {
    private static let override = ProcessInfo.processInfo.environment["CARDEA_SEED"].flatMap { UInt64($0) }

    /// `fixed`, or `CARDEA_SEED` if that is set.
    public static func value(_ fixed: UInt64) -> UInt64 { override ?? fixed }

    /// The `fixed` seeds, or as many from `CARDEA_SEED` on if that is set.
    public static func values<Seed: FixedWidthInteger>(_ fixed: Range<Seed>) -> [Seed] where Seed.Stride: SignedInteger {
        guard let override else { return Array(fixed) }
        return fixed.map { Seed(truncatingIfNeeded: override) &+ ($0 &- fixed.lowerBound) }
    }
}

/// The number of repetitions of a test: fewer in the gate, all in the long suite, which sets `CARDEA_FULL=1`.
public enum TestRepetitions {
    private static let environment = ProcessInfo.processInfo.environment

    /// True if the full run is requested.
    public static let isFull = environment["CARDEA_FULL"] == "1"

    /// `gate`, or `full` with `CARDEA_FULL=1`. `variable` names an environment variable that overrides both.
    public static func of(_ gate: Int, full: Int, variable: String? = nil) -> Int {
        variable.flatMap { environment[$0] }.flatMap { Int($0) } ?? (isFull ? full : gate)
    }
}
