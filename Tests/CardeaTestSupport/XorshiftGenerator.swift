/// Pseudo-random numbers that are the same for the same seed (xorshift64*).
public struct XorshiftGenerator: Sendable {
    public let seed: UInt64
    private var state: UInt64

    public init(seed: UInt64) {
        self.seed = seed
        state = seed == 0 ? 0x9E37_79B9_7F4A_7C15 : seed
    }

    /// For a test: `CARDEA_SEED` overrides the seed.
    public static func forTest(_ seed: UInt64) -> XorshiftGenerator { XorshiftGenerator(seed: TestSeed.value(seed)) }

    /// A number from 0 up to, but not including, `sides`.
    public mutating func next(_ sides: Int) -> Int {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % max(1, sides)
    }
}
