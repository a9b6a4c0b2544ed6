import CardeaModel
import Foundation

/// What a room's thermal twin is fitted to: how warm it was inside and outside and how much it was heated, in the order of time.
///
/// Inside counts at the moment itself; outside and heating are the mean from this moment to the next one, and so is `mean`. What nobody
/// measured is nil.
public struct ThermalSeries: Hashable, Sendable {
    public struct Sample: Hashable, Sendable {
        public let at: Date
        /// °C.
        public let inside: Double?
        /// °C.
        public let outside: Double?
        /// The share of the time the heating was on, 0 to 1, or its power in kW; the twin's heating rate is per one of it.
        public let heating: Double?
        /// °C inside, on average: what the room lost does not depend on when in that time it was heated, where this is known.
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
    /// Hours from one word of the sensor to the next, usually; 0 where each sample is how warm it was at its moment. By as much the last word of
    /// an hour may be older than the hour's end.
    public let spacing: Double

    /// Takes samples in any order. Of two with one moment the first is kept, and what is no number is nobody's measurement.
    public init(_ samples: [Sample], spacing: Double = 0) {
        var kept: [Sample] = []
        kept.reserveCapacity(samples.count)
        // Moments that are none would spoil the order of all others.
        let dated = samples.filter { abs($0.at.timeIntervalSinceReferenceDate) < 1e11 }
        for sample in dated.sorted(by: { $0.at < $1.at }) {
            if let last = kept.last, last.at == sample.at { continue }
            kept.append(
                Sample(
                    at: sample.at, inside: Self.valid(sample.inside, -60...100), outside: Self.valid(sample.outside, -90...70),
                    heating: Self.valid(sample.heating, 0...10_000), mean: Self.valid(sample.mean, -60...100)))
        }
        self.samples = kept
        self.spacing = max(spacing, 0)
    }

    /// From the hours that are kept for a year: an hour's last word is how warm it was when the hour ended, its means are what went on in it.
    /// Of the inside an hour's mean is taken where the sensor followed it and had spoken in the hour before.
    ///
    /// - Parameters:
    ///   - heating: by the beginning of the hour, the share or the kW of that hour.
    ///   - lag: how much of the time from an hour's last word to the next hour's first had gone by when the hour began, 0 to 1.
    public init(inside: [HourlyReading], outside: [HourlyReading], heating: [Date: Double], lag: Double = 0) {
        var ends: [Date: Double] = [:]
        for hour in inside { ends[hour.hour.addingTimeInterval(3600)] = hour.last }
        if lag > 0 {
            for hour in inside { ends[hour.hour] = ends[hour.hour].map { $0 + (hour.first - $0) * min(lag, 1) } }
        }
        var (means, rooms): ([Date: Double], [Date: Double]) = ([:], [:])
        for hour in outside { means[hour.hour] = hour.mean }
        // Of an hour without a word nobody knows whether the room stood still or the sensor told nothing, nor how the next one began.
        for hour in inside where hour.hasReliableMean && ends[hour.hour] != nil { rooms[hour.hour] = hour.mean }
        let moments = Set(ends.keys).union(means.keys).union(heating.keys)
        let counts = inside.map(\.count).sorted()
        self.init(
            moments.map { Sample(at: $0, inside: ends[$0], outside: means[$0], heating: heating[$0], mean: rooms[$0]) },
            spacing: counts.isEmpty ? 0 : 1 / Double(max(counts[counts.count / 2], 1)))
    }

    /// Words an hour from which on it does not matter at which minute they come.
    static let frequentReportCount = 12
    /// °C from one word to the next, on average, up to which a sensor follows how warm it is: one that tells each tenth of a degree does, and
    /// one that speaks twice an hour, of a room that is warming up, does not.
    static let fineReportStep = 0.15

    private static func valid(_ number: Double?, _ range: ClosedRange<Double>) -> Double? {
        number.flatMap { range.contains($0) ? $0 : nil }
    }
}

extension HourlyReading {
    /// Whether its mean, in °C, is that of the whole hour: how it began is known, and what came between two words was little.
    fileprivate var hasReliableMean: Bool {
        start != nil && (count >= ThermalSeries.frequentReportCount || (high - low) / Double(count) <= ThermalSeries.fineReportStep)
    }
}

/// One stretch from a sample to the next, as the fit walks it.
struct ThermalStep {
    /// Hours.
    var hours: Double
    var outside: Double
    var heating: Double
    /// °C inside on average; nan where nobody measured.
    var mean: Double
    /// °C at its end; nan where nobody measured.
    var reached: Double
    /// °C at which a run begins here; nan inside of a run.
    var start: Double
}

extension ThermalSeries {
    /// Longer than this nothing is taken to have stayed as it was.
    static let longestStep: TimeInterval = 3 * 3600

    /// Runs without holes. What was heated is never guessed: a hole in it ends the run, and the next one begins with a measurement.
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

    /// The air outside changes slowly: a hole of up to three hours is bridged by a straight line.
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
