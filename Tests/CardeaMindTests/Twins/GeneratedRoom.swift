import CardeaMind
import CardeaModel
import Foundation

/// A random generator with the same numbers in every run (SplitMix64).
struct SeededHouseGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(_ seed: UInt64) {
        self.seed = seed
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Normally distributed around zero with a deviation of one.
    mutating func nextGaussian() -> Double {
        let one = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &self)
        let two = Double.random(in: 0..<1, using: &self)
        return (-2 * log(one)).squareRoot() * cos(2 * .pi * two)
    }
}

/// A room with known constants, heated by a switching thermostat, simulated in minutes.
struct GeneratedRoom {
    var tau: Double
    var rate: Double
    var gain = 0.0
    /// °C by day and by night.
    var day = 21.0
    var night = 17.0
    /// °C outside on average.
    var outside = 5.0
    /// °C per √hour.
    var disturbance = 0.0
    /// °C on top of the set point in some hours, by hours from the beginning.
    var changed: (@Sendable (Int) -> Double?)?

    static let beginning = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01 00:00 UTC

    struct MinuteSample {
        var inside: Double
        var outside: Double
        var heating: Double
    }

    /// The state at the beginning of each minute, and the heating in it.
    func minutes(days: Int, seed: UInt64) -> [MinuteSample] {
        var dice = SeededHouseGenerator(seed)
        let waves = (0..<3).map { _ in (Double.random(in: 2...5, using: &dice), Double.random(in: 0...6.28, using: &dice)) }
        var (inside, isOn) = (day - 1, false)
        let keep = exp(-1 / 60 / tau)
        var air = 0.0
        return (0..<(days * 1440)).map { minute in
            // Every five minutes: the outdoor air changes no faster, and debug builds generate the whole month.
            if minute % 5 == 0 {
                let hours = Double(minute) / 60
                air = outside + 4 * sin((hours - 9) / 24 * 2 * .pi)
                for (place, wave) in waves.enumerated() { air += wave.0 * sin(hours / (37 + 31 * Double(place)) + wave.1) }
            }
            let hour = minute / 60 % 24
            let goal = changed?(minute / 60) ?? (hour >= 6 && hour < 22 ? day : night)
            if inside < goal - 0.2 { isOn = true } else if inside > goal + 0.2 { isOn = false }
            let here = MinuteSample(inside: inside, outside: air, heating: isOn ? 1 : 0)
            inside = keep * inside + (1 - keep) * (air + tau * (rate * here.heating + gain))
            if disturbance > 0 { inside += disturbance * (1.0 / 60).squareRoot() * dice.nextGaussian() }
            return here
        }
    }

    /// The hourly readings of a sensor that reports changes only.
    ///
    /// - Parameters:
    ///   - resolution: its smallest reported change.
    ///   - every: minutes between two samples of the sensor.
    ///   - first: the minute of its first sample.
    static func hourlyReadings(
        _ minutes: [MinuteSample], to resolution: Double, every: Int = 1, from first: Int = 0, of value: (MinuteSample) -> Double
    ) -> [HourlyReading] {
        var last: Double?
        return stride(from: 0, to: minutes.count, by: 60).compactMap { start -> HourlyReading? in
            let before = last
            var told: [Reading] = []
            for minute in start..<min(start + 60, minutes.count) where minute % every == first {
                let word = (value(minutes[minute]) / resolution).rounded() * resolution
                guard word != last else { continue }
                told.append(Reading(at: beginning.addingTimeInterval(Double(minute) * 60), value: word))
                last = word
            }
            return HourlyReading(told, in: beginning.addingTimeInterval(Double(start) * 60), after: before)
        }
    }

    /// The share of each hour in which it was heated, by the hour's beginning.
    static func shares(_ minutes: [MinuteSample]) -> [Date: Double] {
        var shares: [Date: Double] = [:]
        for start in stride(from: 0, to: minutes.count, by: 60) {
            let hour = minutes[start..<min(start + 60, minutes.count)]
            shares[beginning.addingTimeInterval(Double(start) * 60)] = hour.reduce(0) { $0 + $1.heating } / Double(hour.count)
        }
        return shares
    }

    /// A sensor that samples the room with noise, rounding and gaps.
    struct SimulatedSensor {
        /// Minutes between two samples.
        var every = 60
        var noise = 0.0
        var rounding = 0.0
        /// Of a hundred samples, those at which a gap begins.
        var holes = 0.0
        /// True if each sample also keeps the mean temperature until the next one, taken from twelve readings.
        var keepsMeans = false

        func read(_ minutes: [MinuteSample], seed: UInt64) -> ThermalSeries {
            var dice = SeededHouseGenerator(seed ^ 0xABCD)
            var hole = 0
            let samples = stride(from: 0, to: minutes.count - every, by: every).map { start -> ThermalSeries.Sample in
                let stretch = minutes[start..<(start + every)]
                if hole > 0 {
                    hole -= 1
                } else if Double.random(in: 0..<100, using: &dice) < holes {
                    hole = Int.random(in: 1...12, using: &dice)
                }
                let isBlind = hole > 0
                let isDeaf = isBlind && Bool.random(using: &dice)
                return ThermalSeries.Sample(
                    at: GeneratedRoom.beginning.addingTimeInterval(Double(start) * 60),
                    inside: isBlind ? nil : rounded(minutes[start].inside + noise * dice.nextGaussian()),
                    outside: isDeaf ? nil : stretch.reduce(0) { $0 + $1.outside } / Double(every),
                    heating: isDeaf ? nil : stretch.reduce(0) { $0 + $1.heating } / Double(every),
                    mean: keepsMeans && !isBlind ? mean(stretch, until: minutes[start + every].inside, &dice) : nil)
            }
            return ThermalSeries(samples)
        }

        private func mean(_ stretch: ArraySlice<MinuteSample>, until end: Double, _ dice: inout SeededHouseGenerator) -> Double {
            guard noise > 0 || rounding > 0 else {
                // The true value, from each minute's beginning to its end.
                let begin = stretch.first?.inside ?? end
                return (stretch.reduce(0) { $0 + $1.inside } + (end - begin) / 2) / Double(every)
            }
            let said = stretch.enumerated().filter { $0.offset % max(every / 12, 1) == 0 }.map {
                rounded($0.element.inside + noise * dice.nextGaussian())
            }
            return said.reduce(0, +) / Double(max(said.count, 1))
        }

        private func rounded(_ number: Double) -> Double {
            rounding > 0 ? (number / rounding).rounded() * rounding : number
        }
    }
}
