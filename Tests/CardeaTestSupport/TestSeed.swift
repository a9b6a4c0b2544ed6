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
