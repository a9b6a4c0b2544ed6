import Foundation

// Like the one in CardeaTestSupport, on which these tests do not depend: they need the model alone.

/// A generator that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    /// `CARDEA_SEED` overrides the seed.
    static func forTest(_ seed: UInt64) -> SeededGenerator {
        let seed = ProcessInfo.processInfo.environment["CARDEA_SEED"].flatMap { UInt64($0) } ?? seed
        return SeededGenerator(seed: seed, state: seed)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The number of repetitions of a test: fewer in the gate, all with `CARDEA_FULL=1`.
enum TestRepetitions {
    static func of(_ gate: Int, full: Int) -> Int { ProcessInfo.processInfo.environment["CARDEA_FULL"] == "1" ? full : gate }
}
