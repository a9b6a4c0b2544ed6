import Foundation

/// The readings of one sensor within an hour. Sensors report changes: a value holds until the next one.
public struct HourlyReading: Hashable, Sendable {
    /// The beginning of the hour, UTC.
    public let hour: Date
    /// The lowest value, including the one that held when the hour began.
    public let low: Double
    /// The highest value, including the one that held when the hour began.
    public let high: Double
    /// The mean over time: of the whole hour if `start` is known, else from the first reading of the hour on. Hours stored by a version
    /// that kept no `start` have the mean of the readings instead.
    public let mean: Double
    public let first: Double
    public let last: Double
    /// A meter's consumption between its first and its last reading of the hour.
    public let used: Double
    public let count: Int
    /// The value that held when the hour began; nil if it is unknown.
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
    ///   - start: the sensor's last value before them; nil if it is unknown.
    ///   - begin: the start of the period, if it is not the start of the hour.
    ///   - end: the end of the period, if it is not the end of the hour, such as when the hour is not over.
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
            used += CumulativeMeter.consumption(from: last, to: reading.value)
            last = reading.value
        }
        let over = hour.addingTimeInterval(3600)
        held.advance(for: min(over, end ?? over).timeIntervalSince(since))
        self.init(
            hour: hour, low: low, high: high, mean: held.mean, first: first.value, last: last, used: used, count: readings.count,
            start: start)
    }
}
