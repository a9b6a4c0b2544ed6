/// What a number usually is, and how far it usually strays from that: a mean and a variance in which the past slowly fades.
public struct RunningStatistics: Codable, Hashable, Sendable {
    /// How many numbers it rests on, the faded ones counted in part.
    public private(set) var count = 0.0
    public private(set) var mean = 0.0
    private var squares = 0.0

    public init() {}

    public var variance: Double { count > 0 ? max(squares / count, 0) : 0 }
    public var deviation: Double { variance.squareRoot() }

    /// - Parameter fading: what each new number leaves of the weight of those before, 0 to 1.
    mutating func add(_ number: Double, fading: Double) {
        guard number.isFinite, abs(number) < 1e12 else { return }
        count = count * fading + 1
        squares *= fading
        let away = number - mean
        mean += away / count
        squares += away * (number - mean)
    }
}
