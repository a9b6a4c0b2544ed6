import Foundation

/// One number a sensor told.
public struct Reading: Hashable, Sendable {
    public let at: Date
    public let value: Double

    public init(at: Date, value: Double) {
        self.at = at
        self.value = value
    }
}

extension Collection where Element == HourlyReading {
    /// The mean over time of hours in their order, nil for none. Those in which nothing was said are as the one before them ended.
    ///
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

/// The mean over time of what stays as it is until it changes.
public struct TimeWeightedMean: Sendable {
    /// What it is now.
    public var value: Double
    /// Sums are of what is above it: of what never changed, the mean is that, to the last digit.
    private let origin: Double
    private var (above, seconds) = (0.0, 0.0)

    public init(_ value: Double) {
        self.value = value
        origin = value
    }

    /// It stays at `value` for so long; nothing where that is no time.
    public mutating func advance(for seconds: TimeInterval) {
        guard seconds > 0 else { return }
        above += (value - origin) * seconds
        self.seconds += seconds
    }

    /// What it is now where no time has gone by, or where the numbers are beyond what a mean can be made of.
    public var mean: Double {
        let mean = origin + above / seconds
        return mean.isFinite ? mean : value
    }
}
