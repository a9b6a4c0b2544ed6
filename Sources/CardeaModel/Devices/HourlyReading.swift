import Foundation

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
