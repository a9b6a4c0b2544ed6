import CardeaModel
import Foundation

/// What its sensors told.
extension RecordedHouse {
    /// What the living room's heating draws while it heats, in W.
    private static let heater = 2000.0

    private static let start = moment(-29, "00:00")

    /// A plain curve of the day with a little noise; and a room that is as warm as its heating makes it.
    static func readings(_ random: inout Seeded) -> [String: [Reading]] {
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
        let minutes = warmth(minutes: Int(now.timeIntervalSince(start) / 60))
        let fives = stride(from: 0, to: minutes.count - 4, by: 5).map { (start + Double($0) * 60, minutes[$0..<$0 + 5]) }
        readings["sensor.living_temperature"] = fives.map { Reading(at: $0, value: (($1.last?.inside ?? 0) * 10).rounded() / 10) }
        readings["sensor.garden_temperature"] = fives.map { Reading(at: $0, value: (($1.last?.outside ?? 0) * 10).rounded() / 10) }
        readings["sensor.living_heating_power"] = fives.map { at, five in
            Reading(at: at, value: heater * five.reduce(0) { $0 + $1.heating } / 5)
        }
        return readings
    }

    /// What was told in an hour, every ten minutes, as far as it is over.
    private static func hour(_ number: Int, _ values: [Double]) -> [Reading] {
        values.enumerated().map { Reading(at: start + Double(number) * 3600 + Double($0.offset) * 600, value: $0.element) }.filter {
            $0.at < now
        }
    }

    // MARK: A room whose constants are known

    private struct Minute {
        let inside: Double
        let outside: Double
        let heating: Double
    }

    /// The living room from the first day on: it loses its warmth in 25 hours, gains 2.2 °C in an hour of heating, and is kept by a thermostat
    /// that switches.
    private static func warmth(minutes: Int) -> [Minute] {
        var (inside, isOn, setPoint) = (22.0, false, 23.5)
        return (0..<minutes).map { minute in
            let at = start + Double(minute) * 60
            if minute.isMultiple(of: 60) {
                let hour = calendar.component(.hour, from: at)
                setPoint = (6..<22).contains(hour) ? 23.5 : 20
            }
            let hours = Double(minute) / 60
            let outside = 6 + 4 * sin((hours - 9) / 24 * 2 * .pi) + 3 * sin(hours / 110 * 2 * .pi)
            isOn = inside < setPoint - (isOn ? -0.1 : 0.1)
            defer { inside += ((outside - inside) / 25 + (isOn ? 2.2 : 0)) / 60 }
            return Minute(inside: inside, outside: outside, heating: isOn ? 1 : 0)
        }
    }
}
