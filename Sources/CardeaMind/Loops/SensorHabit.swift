import CardeaModel
import Foundation

/// The usual readings of a sensor, by hour of day.
struct SensorHabit: Codable, Hashable, Sendable {
    var deviceID: String?
    var deviceClass: String
    private(set) var hours = [RunningStatistics](repeating: RunningStatistics(), count: 24)
    private(set) var days = 0
    /// The beginning of the last hour that was learned.
    private(set) var last: Date?
    private(set) var lastValue = 0.0
    /// The number of consecutive hours with strong deviation, and their beginning.
    private(set) var strayed = 0
    private(set) var strayedSince: Date?

    /// Sensors with a meaningful usual level, such as a room's temperature or a device's power.
    static let deviceClasses: Set<String> = ["temperature", "humidity", "power", "carbon_dioxide"]
    static let decay = 0.97

    init(deviceID: String?, deviceClass: String) {
        self.deviceID = deviceID
        self.deviceClass = deviceClass
    }

    /// The smallest deviation that is reported, in the sensor's unit: °C, percent, W, ppm.
    func minimumDeviation(around mean: Double) -> Double {
        switch deviceClass {
        case "temperature": 1
        case "humidity": 6
        case "power": max(60, 0.3 * abs(mean))
        default: 200
        }
    }

    /// The usual reading at this hour, 0 to 23; nil with fewer than seven values for the hour or fewer than `Habits.minimumDays` days.
    func usual(at hour: Int) -> (mean: Double, deviation: Double)? {
        guard hours.indices.contains(hour), hours[hour].count >= 7, days >= Habits.minimumDays else { return nil }
        return (hours[hour].mean, max(hours[hour].deviation, minimumDeviation(around: hours[hour].mean)))
    }

    /// Learns an hour. An hour that was already learned, or is older, is ignored.
    ///
    /// - Parameter range: the usual range as corrected by a person; nil for a learned habit.
    mutating func learn(_ reading: HourlyReading, in zone: TimeZone, pinned range: ClosedRange<Double>?) {
        guard reading.mean.isFinite, last.map({ reading.hour > $0 }) ?? true else { return }
        let place = LocalHour(reading.hour, in: zone)
        if last.map({ LocalHour($0, in: zone).day != place.day }) ?? true { days = min(days + 1, ActivityTracker.dayLimit) }
        if let last, reading.hour.timeIntervalSince(last) > 2 * 3600 { (strayed, strayedSince) = (0, nil) }
        last = reading.hour
        lastValue = reading.mean
        guard hours.indices.contains(place.hour) else { return }
        let usual = usual(at: place.hour)
        updateStraying(reading.mean, usual: usual, range: range, at: reading.hour)
        // Outliers are limited, or one bad day would make the next one look usual.
        let learned = usual.map { min(max(reading.mean, $0.mean - 3 * $0.deviation), $0.mean + 3 * $0.deviation) } ?? reading.mean
        hours[place.hour].add(learned, fading: Self.decay)
    }

    /// See `ActivityTracker.clampToPresent`.
    mutating func clampToPresent(at now: Date) {
        if let ahead = last, ahead > now { (last, strayed, strayedSince) = (nil, 0, nil) }
    }

    private mutating func updateStraying(_ value: Double, usual: (mean: Double, deviation: Double)?, range: ClosedRange<Double>?, at: Date)
    {
        let (isStray, isUsual): (Bool, Bool) =
            if let range {
                (!range.contains(value), range.contains(value))
            } else if let usual {
                (abs(value - usual.mean) > 4 * usual.deviation, abs(value - usual.mean) < 2 * usual.deviation)
            } else {
                (false, true)
            }
        if isStray {
            strayed = min(strayed + 1, 1000)
            strayedSince = strayedSince ?? at
        } else if isUsual {
            (strayed, strayedSince) = (0, nil)
        }
    }
}
