import Foundation

/// One number that a sensor reported.
public struct Reading: Hashable, Sendable {
    public let at: Date
    public let value: Double

    public init(at: Date, value: Double) {
        self.at = at
        self.value = value
    }
}

extension Collection where Element == HourlyReading {
    /// The mean over time of consecutive hours; nil for none. An hour without readings keeps the last value of the hour before it.
    /// - Parameters:
    ///   - begin: nil for the beginning of the first hour.
    ///   - end: nil for the end of the last.
    public func meanOverTime(from begin: Date? = nil, until end: Date? = nil) -> Double? {
        guard let first else { return nil }
        let begin = begin ?? first.hour
        var held = TimeWeightedMean(first.start ?? first.mean)
        var since = first.start == nil ? Swift.max(first.hour, begin) : begin
        for hour in self {
            held.advance(for: hour.hour.timeIntervalSince(since))
            held.value = hour.mean
            let over = hour.hour.addingTimeInterval(3600)
            since = Swift.min(over, end ?? over)
            held.advance(for: since.timeIntervalSince(Swift.max(hour.hour, begin)))
            held.value = hour.last
        }
        if let end { held.advance(for: end.timeIntervalSince(since)) }
        return held.mean
    }
}

/// The mean over time of a value that holds until it changes.
public struct TimeWeightedMean: Sendable {
    /// The present value.
    public var value: Double
    /// The sum counts differences from this value, so the mean of a constant is exact to the last digit.
    private let origin: Double
    private var (above, seconds) = (0.0, 0.0)

    public init(_ value: Double) {
        self.value = value
        origin = value
    }

    /// Holds `value` for this time; does nothing if it is not positive.
    public mutating func advance(for seconds: TimeInterval) {
        guard seconds > 0 else { return }
        above += (value - origin) * seconds
        self.seconds += seconds
    }

    /// The mean; the present value if no time has passed, or if the sum is not finite.
    public var mean: Double {
        let mean = origin + above / seconds
        return mean.isFinite ? mean : value
    }
}
