/// Pseudo-random numbers that are the same in every run (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
    public let seed: UInt64
    private var state: UInt64

    public init(state: UInt64) {
        seed = state
        self.state = state
    }

    /// For a test: `CARDEA_SEED` overrides the seed.
    public static func forTest(_ seed: UInt64) -> SeededGenerator { SeededGenerator(state: TestSeed.value(seed)) }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
