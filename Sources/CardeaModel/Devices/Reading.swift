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

/// What a sensor told within an hour.
public struct HourlyReading: Hashable, Sendable {
    /// The beginning of the hour, UTC.
    public let hour: Date
    public let low: Double
    public let high: Double
    public let mean: Double
    public let first: Double
    public let last: Double
    /// What a meter counted between its first and its last word of the hour.
    public let used: Double
    public let count: Int

    public init(hour: Date, low: Double, high: Double, mean: Double, first: Double, last: Double, used: Double, count: Int) {
        self.hour = hour
        self.low = low
        self.high = high
        self.mean = mean
        self.first = first
        self.last = last
        self.used = used
        self.count = count
    }

    /// The hour's readings in their order, or nil for none.
    public init?(_ readings: some Collection<Reading>, in hour: Date) {
        guard let first = readings.first else { return nil }
        var (low, high, sum, used, last) = (first.value, first.value, 0.0, 0.0, first.value)
        for reading in readings {
            low = min(low, reading.value)
            high = max(high, reading.value)
            sum += reading.value
            used += Meter.step(from: last, to: reading.value)
            last = reading.value
        }
        self.init(
            hour: hour, low: low, high: high, mean: sum / Double(readings.count), first: first.value, last: last, used: used,
            count: readings.count)
    }
}

/// Which numbers are kept, and how long.
public enum ReadingRules {
    /// Seconds between two readings of one sensor.
    public static let spacing: TimeInterval = 10
    /// A change of more than this part of the larger value is kept at once.
    public static let much = 0.1
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
    public static func step(from earlier: Double, to later: Double) -> Double {
        later >= earlier ? later - earlier : max(later, 0)
    }
}
