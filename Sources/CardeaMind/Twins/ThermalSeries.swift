import CardeaModel
import Foundation

/// The data that a room's thermal twin is fitted to: inside and outside temperatures and heating, in the order of time.
///
/// The inside temperature is that of the moment itself; outside temperature and heating are means from this moment to the next one, and
/// so is `mean`. Values that were not measured are nil.
public struct ThermalSeries: Hashable, Sendable {
    public struct Sample: Hashable, Sendable {
        public let at: Date
        /// °C.
        public let inside: Double?
        /// °C.
        public let outside: Double?
        /// The share of the time the heating was on, 0 to 1, or its power in kW; the twin's heating rate is per one of it.
        public let heating: Double?
        /// °C inside, on average. If it is known, the room's loss does not depend on when in that time it was heated.
        public let mean: Double?

        public init(at: Date, inside: Double?, outside: Double?, heating: Double?, mean: Double? = nil) {
            self.at = at
            self.inside = inside
            self.outside = outside
            self.heating = heating
            self.mean = mean
        }
    }

    public let samples: [Sample]
    /// The usual number of hours between two reports of the sensor; 0 if each sample is the temperature at its moment. The last report of
    /// an hour may be older than the hour's end by as much.
    public let spacing: Double

    /// Accepts samples in any order. Of two with the same time the first is kept; values out of range count as not measured.
    public init(_ samples: [Sample], spacing: Double = 0) {
        var stored: [Sample] = []
        stored.reserveCapacity(samples.count)
        // Invalid dates would spoil the order of all others.
        let dated = samples.filter { abs($0.at.timeIntervalSinceReferenceDate) < 1e11 }
        for sample in dated.sorted(by: { $0.at < $1.at }) {
            if let last = stored.last, last.at == sample.at { continue }
            stored.append(
                Sample(
                    at: sample.at, inside: Self.valid(sample.inside, -60...100), outside: Self.valid(sample.outside, -90...70),
                    heating: Self.valid(sample.heating, 0...10_000), mean: Self.valid(sample.mean, -60...100)))
        }
        self.samples = stored
        self.spacing = max(spacing, 0)
    }

    /// Makes the series from hourly readings, which are kept for a year: an hour's last report is the temperature at its end, its means
    /// are those of the hour. An inside mean is used if the sensor followed the temperature and had reported in the hour before.
    ///
    /// - Parameters:
    ///   - heating: by the beginning of the hour, the share or the kW of that hour.
    ///   - lag: the part of the time from an hour's last report to the next hour's first that had passed when the hour began, 0 to 1.
    public init(inside: [HourlyReading], outside: [HourlyReading], heating: [Date: Double], lag: Double = 0) {
        var ends: [Date: Double] = [:]
        for hour in inside { ends[hour.hour.addingTimeInterval(3600)] = hour.last }
        if lag > 0 {
            for hour in inside { ends[hour.hour] = ends[hour.hour].map { $0 + (hour.first - $0) * min(lag, 1) } }
        }
        var (means, rooms): ([Date: Double], [Date: Double]) = ([:], [:])
        for hour in outside { means[hour.hour] = hour.mean }
        // In an hour without a report it is not known if the temperature stayed the same or the sensor was silent, nor how the next hour
        // began.
        for hour in inside where hour.hasReliableMean && ends[hour.hour] != nil { rooms[hour.hour] = hour.mean }
        let moments = Set(ends.keys).union(means.keys).union(heating.keys)
        let counts = inside.map(\.count).sorted()
        self.init(
            moments.map { Sample(at: $0, inside: ends[$0], outside: means[$0], heating: heating[$0], mean: rooms[$0]) },
            spacing: counts.isEmpty ? 0 : 1 / Double(max(counts[counts.count / 2], 1)))
    }

    /// Reports an hour from which on the minute of a report does not matter.
    static let frequentReportCount = 12
    /// °C between two reports, on average, up to which a sensor follows the temperature. A sensor that reports each tenth of a degree
    /// does; one that reports twice an hour in a room that is warming up does not.
    static let fineReportStep = 0.15

    private static func valid(_ number: Double?, _ range: ClosedRange<Double>) -> Double? {
        number.flatMap { range.contains($0) ? $0 : nil }
    }
}

extension HourlyReading {
    /// True if the mean, in °C, holds for the whole hour: its start is known, and the changes between two reports were small.
    fileprivate var hasReliableMean: Bool {
        start != nil && (count >= ThermalSeries.frequentReportCount || (high - low) / Double(count) <= ThermalSeries.fineReportStep)
    }
}

/// One step from a sample to the next.
struct ThermalStep {
    /// Hours.
    var hours: Double
    var outside: Double
    var heating: Double
    /// °C inside on average; NaN if not measured.
    var mean: Double
    /// °C at its end; NaN if not measured.
    var reached: Double
    /// °C at which a run begins here; NaN inside of a run.
    var start: Double
}

extension ThermalSeries {
    /// Seconds after which a value no longer counts as unchanged.
    static let longestStep: TimeInterval = 3 * 3600

    /// The steps of runs without gaps. Heating is never guessed: a gap in it ends the run, and the next one begins with a measurement.
    var steps: [ThermalStep] {
        var steps: [ThermalStep] = []
        steps.reserveCapacity(samples.count)
        let outside = filledOutside
        var isRunning = false
        for (place, pair) in zip(samples, samples.dropFirst()).enumerated() {
            let (sample, next) = pair
            let length = next.at.timeIntervalSince(sample.at)
            guard length > 0, length <= Self.longestStep, let air = outside[place], let heating = sample.heating else {
                isRunning = false
                continue
            }
            guard isRunning || sample.inside != nil else { continue }
            steps.append(
                ThermalStep(
                    hours: length / 3600, outside: air, heating: heating, mean: sample.mean ?? .nan, reached: next.inside ?? .nan,
                    start: isRunning ? .nan : sample.inside ?? .nan))
            isRunning = true
        }
        return steps
    }

    /// Outside temperatures with gaps of up to three hours filled by a straight line, since they change slowly.
    private var filledOutside: [Double?] {
        var filled = samples.map(\.outside)
        var last: Int?
        for place in filled.indices {
            guard let here = filled[place] else { continue }
            if let last, place - last > 1, let before = filled[last] {
                let span = samples[place].at.timeIntervalSince(samples[last].at)
                if span <= Self.longestStep + 3600 {
                    for hole in (last + 1)..<place {
                        filled[hole] = before + (here - before) * samples[hole].at.timeIntervalSince(samples[last].at) / span
                    }
                }
            }
            last = place
        }
        return filled
    }
}
