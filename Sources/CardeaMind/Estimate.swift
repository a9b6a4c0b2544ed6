/// A number with its 95 % interval.
public struct Estimate: Hashable, Sendable {
    public let value: Double
    public let low: Double
    public let high: Double

    public init(_ value: Double, low: Double, high: Double) {
        self.value = value
        self.low = low
        self.high = high
    }

    /// True if the whole interval lies above or below zero.
    public var excludesZero: Bool { low > 0 || high < 0 }

    func scaled(by factor: Double) -> Estimate {
        Estimate(value * factor, low: min(low * factor, high * factor), high: max(low * factor, high * factor))
    }
}
