/// The running mean and variance of a number, in which older values slowly lose weight.
public struct RunningStatistics: Codable, Hashable, Sendable {
    /// The weight of the numbers it is based on; faded ones count in part.
    public private(set) var count = 0.0
    public private(set) var mean = 0.0
    private var squares = 0.0

    public init() {}

    public var variance: Double { count > 0 ? max(squares / count, 0) : 0 }
    public var deviation: Double { variance.squareRoot() }

    /// - Parameter fading: the factor by which each new number reduces the weight of earlier ones, 0 to 1.
    mutating func add(_ number: Double, fading: Double) {
        guard number.isFinite, abs(number) < 1e12 else { return }
        count = count * fading + 1
        squares *= fading
        let away = number - mean
        mean += away / count
        squares += away * (number - mean)
    }
}
