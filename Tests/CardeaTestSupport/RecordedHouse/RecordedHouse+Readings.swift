import CardeaModel
import Foundation

/// The sensor readings of the house.
extension RecordedHouse {
    /// The power of the living room's heating while it heats, in W.
    private static let heater = 2000.0

    private static let start = moment(-29, "00:00")

    /// A daily curve with a little noise; and a room with the temperature that its heating gives.
    static func readings(_ random: inout SeededGenerator) -> [String: [Reading]] {
        var readings: [String: [Reading]] = [:]
        let curves: [(String, Double, Double)] = [
            ("sensor.kitchen_temperature", 21, 1.5), ("sensor.bedroom_temperature", 18, 1), ("sensor.study_temperature", 19.5, 1.2),
            ("sensor.kitchen_humidity", 48, 6), ("sensor.bedroom_humidity", 55, 4), ("sensor.house_power", 600, 450),
            ("sensor.coffee_power", 40, 30),
        ]
        let count = Int(now.timeIntervalSince(start) / 3600)
        for (id, base, swing) in curves {
            readings[id] = (0...count).flatMap { number in
                let mean = base + swing * sin(Double(number) / 24 * 2 * .pi) + Double.random(in: -0.3...0.3, using: &random) * swing
                let mid = (mean * 10).rounded() / 10
                return hour(number, [mid, mid - 0.2, mid + 0.2, mid, mid, mid].map { ($0 * 10).rounded() / 10 })
            }
        }
        for (id, rate) in [("sensor.house_energy", 0.5), ("sensor.coffee_energy", 0.02), ("sensor.washer_energy", 0.05)] {
            var total = 1000.0
            readings[id] = (0...count).flatMap { number in
                let used = (rate * Double.random(in: 0.5...1.5, using: &random) * 1000).rounded() / 1000
                defer { total += used }
                return hour(number, [total, total, total + used / 2, total + used / 2, total + used, total + used])
            }
        }
        let minutes = simulateTemperature(minutes: Int(now.timeIntervalSince(start) / 60))
        let fives = stride(from: 0, to: minutes.count - 4, by: 5).map { (start + Double($0) * 60, minutes[$0..<$0 + 5]) }
        readings["sensor.living_temperature"] = fives.map { Reading(at: $0, value: (($1.last?.inside ?? 0) * 10).rounded() / 10) }
        readings["sensor.garden_temperature"] = fives.map { Reading(at: $0, value: (($1.last?.outside ?? 0) * 10).rounded() / 10) }
        readings["sensor.living_heating_power"] = fives.map { at, five in
            Reading(at: at, value: heater * five.reduce(0) { $0 + $1.heating } / 5)
        }
        return readings
    }

    /// The readings of one hour, every ten minutes, up to now.
    private static func hour(_ number: Int, _ values: [Double]) -> [Reading] {
        values.enumerated().map { Reading(at: start + Double(number) * 3600 + Double($0.offset) * 600, value: $0.element) }.filter {
            $0.at < now
        }
    }

    // MARK: A room with known constants

    private struct Minute {
        let inside: Double
        let outside: Double
        let heating: Double
    }

    /// The hours in which it loses its warmth.
    private static let timeConstant = 25.0
    /// °C per hour of heating.
    private static let heatingRate = 2.2
    /// °C above and below the set point at which its thermostat switches.
    private static let hysteresis = 0.1

    /// The living room from the first day on, kept by a switching thermostat.
    ///
    /// - Parameter wish: another set point, by the minute and the hour of the day; nil for the usual one.
    private static func simulateTemperature(minutes: Int, wish: (_ minute: Int, _ hour: Int) -> Double? = { _, _ in nil }) -> [Minute] {
        var (inside, isOn, hour) = (22.0, false, 0)
        return (0..<minutes).map { minute in
            if minute.isMultiple(of: 60) { hour = calendar.component(.hour, from: start + Double(minute) * 60) }
            let setPoint = wish(minute, hour) ?? ((6..<22).contains(hour) ? 23.5 : 20)
            let hours = Double(minute) / 60
            let outside = 6 + 4 * sin((hours - 9) / 24 * 2 * .pi) + 3 * sin(hours / 110 * 2 * .pi)
            isOn = inside < setPoint - (isOn ? -hysteresis : hysteresis)
            defer { inside += ((outside - inside) / timeConstant + (isOn ? heatingRate : 0)) / 60 }
            return Minute(inside: inside, outside: outside, heating: isOn ? 1 : 0)
        }
    }

    // MARK: Expected consumption

    /// kWh of one swing of the thermostat: heating at the end of a day, or a little later.
    static let swing = 2 * hysteresis / heatingRate * heater / 1000

    /// The extra kWh of the living room on a coming day, with the set points by hour of the day.
    static func extraEnergy(from: Date, wish: (_ hour: Int) -> Double?) -> Double {
        let first = Int(from.timeIntervalSince(start) / 60)
        func heated(_ minutes: [Minute]) -> Double { minutes.dropFirst(first).reduce(0) { $0 + $1.heating } / 60 * heater / 1000 }
        let end = first + 1440
        return heated(simulateTemperature(minutes: end) { minute, hour in minute < first ? nil : wish(hour) })
            - heated(simulateTemperature(minutes: end))
    }
}
