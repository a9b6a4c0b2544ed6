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

/// What a sensor told within an hour. It tells what changes: until its next word it says what it said last.
public struct HourlyReading: Hashable, Sendable {
    /// The beginning of the hour, UTC.
    public let hour: Date
    /// The least it showed, with what it said before the hour.
    public let low: Double
    /// The most it showed, with what it said before the hour.
    public let high: Double
    /// Over time: of the whole hour where `start` is known, else from its first word of the hour on. Of an hour that was kept when that was
    /// not done, which has no `start`, it is the mean of the words.
    public let mean: Double
    public let first: Double
    public let last: Double
    /// What a meter counted between its first and its last word of the hour.
    public let used: Double
    public let count: Int
    /// What it said last before the hour; nil where nobody knows.
    public let start: Double?

    public init(
        hour: Date, low: Double, high: Double, mean: Double, first: Double, last: Double, used: Double, count: Int, start: Double? = nil
    ) {
        self.hour = hour
        self.low = low
        self.high = high
        self.mean = mean
        self.first = first
        self.last = last
        self.used = used
        self.count = count
        self.start = start
    }

    /// The hour's readings in their order, or nil for none.
    ///
    /// - Parameters:
    ///   - start: what the sensor said last before them; nil where nobody knows.
    ///   - begin: where the hour is not looked at from its beginning.
    ///   - end: where it is not looked at to its end, such as when it is not over.
    public init?(
        _ readings: some Collection<Reading>, in hour: Date, after start: Double? = nil, from begin: Date? = nil, until end: Date? = nil
    ) {
        guard let first = readings.first else { return nil }
        var held = TimeWeightedMean(start ?? first.value)
        var since = start == nil ? first.at : max(hour, begin ?? hour)
        var (low, high, used, last) = (held.value, held.value, 0.0, first.value)
        for reading in readings {
            held.advance(for: reading.at.timeIntervalSince(since))
            held.value = reading.value
            since = reading.at
            low = min(low, reading.value)
            high = max(high, reading.value)
            used += Meter.consumption(from: last, to: reading.value)
            last = reading.value
        }
        let over = hour.addingTimeInterval(3600)
        held.advance(for: min(over, end ?? over).timeIntervalSince(since))
        self.init(
            hour: hour, low: low, high: high, mean: held.mean, first: first.value, last: last, used: used, count: readings.count,
            start: start)
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

/// Which numbers are kept, and how long.
public enum ReadingPolicy {
    /// Seconds between two readings of one sensor.
    public static let minimumInterval: TimeInterval = 10
    /// A change of more than this part of the larger value is kept at once.
    public static let significantChange = 0.1
    /// More points than this are not one answer.
    public static let pointLimit = 2000

    /// What a sensor's word is worth keeping as; nil for what is no number.
    public static func number(_ state: EntityState, of kind: EntityKind) -> Double? {
        guard kind == .sensor, let number = Double(state.value), number.isFinite else { return nil }
        return number
    }

    /// The beginning of the hour, in milliseconds since 1970.
    public static func hour(of milliseconds: Int64) -> Int64 {
        let within = milliseconds % 3_600_000
        return milliseconds - (within < 0 ? within + 3_600_000 : within)
    }
}

/// A counter that only rises, until it is replaced and begins anew.
public enum Meter {
    /// What was used between two words of a meter: one that shows less than before has begun at nothing.
    public static func consumption(from earlier: Double, to later: Double) -> Double {
        later >= earlier ? later - earlier : max(later, 0)
    }
}
