import CardeaMind
import CardeaModel
import Foundation

/// A house with one heated room and one dryer, known to the minute.
struct GeneratedHistory {
    static let kilowatts = 2.0
    var room = GeneratedRoom(tau: 25, rate: 2.2, gain: 0.03, disturbance: 0.02)
    var days = 30
    var seed: UInt64 = 1

    static let roomID = "living-room"
    static let zone = TimeZone.gmt

    /// 22:00 on the last day.
    var evening: Date { GeneratedRoom.beginning + Double(days) * 86_400 - 2 * 3600 }

    static let house: HouseSnapshot = {
        var living = Room(id: roomID, name: "living room")
        living.traits.preferredTemperature = 21
        return HouseSnapshot(name: "House", zone: zone, rooms: [living], devices: [power("heater"), power("dryer")])
    }()

    static func power(_ id: String) -> Device {
        Device(
            id: id, name: id, deviceClass: .appliance, roomID: roomID, integration: "generated", stateChangedAt: GeneratedRoom.beginning,
            entities: [Entity(id: "sensor.\(id)_power", kind: .sensor, name: id, deviceClass: "power", unit: "W", verbs: [])])
    }

    static func hours(_ count: Int, value: (Int) -> [Double]) -> [HourlyReading] {
        var last: Double?
        return (0..<count).compactMap { number -> HourlyReading? in
            let hour = GeneratedRoom.beginning + Double(number) * 3600
            let values = value(number)
            defer { last = values.last ?? last }
            return HourlyReading(
                values.enumerated().map { Reading(at: hour + Double($0.offset) * 3600 / Double(values.count), value: $0.element) },
                in: hour, after: last)
        }
    }

    /// The history known at 22:00 on the last day.
    func history(missing: Set<Int> = [], rates: Preferences = Preferences()) -> WhatIfInputs {
        var dice = SeededHouseGenerator(seed ^ 0xFEED)
        let minutes = room.minutes(days: days + 1, seed: seed)
        let known = days * 24 - 2
        let every = 5
        func told(_ value: @escaping (GeneratedRoom.MinuteSample) -> Double) -> [HourlyReading] {
            Self.hours(known) { number in
                missing.contains(number)
                    ? [] : stride(from: number * 60 + every - 1, to: number * 60 + 60, by: every).map { value(minutes[$0]) }
            }
        }
        let inside = told { (($0.inside + 0.05 * dice.nextGaussian()) * 10).rounded() / 10 }
        let outside = told { $0.outside }
        let heater = Self.hours(known) { number in
            missing.contains(number) ? [] : (0..<60).map { minutes[number * 60 + $0].heating * Self.kilowatts * 1000 }
        }
        // On Thursdays, like the first of January, from 22:00 to midnight, with some variation; a tenth of a watt otherwise.
        let dryer = Self.hours(known) { number in
            number / 24 % 7 == 0 && number % 24 >= 22 ? [900 + 20 * dice.nextGaussian()] : [0.1]
        }
        return WhatIfInputs(
            house: Self.house, preferences: rates,
            meters: [meter("heater", heater), meter("dryer", dryer)].compactMap(\.self),
            rooms: [
                .init(
                    roomID: Self.roomID, inside: .init(entityID: "sensor.inside", hours: inside),
                    outside: .init(entityID: "sensor.outside", hours: outside), heating: .metered(entityID: "sensor.heater_power"))
            ])
    }

    private func meter(_ id: String, _ hours: [HourlyReading]) -> WhatIfInputs.MeterHistory? {
        let device = Self.power(id)
        return device.entities.first.flatMap { entity in
            EnergyMetering(entity, of: device).map { .init(entityID: entity.id, deviceID: id, metering: $0, hours: hours) }
        }
    }

    /// The true extra energy, in kWh, of keeping the room at a temperature during the coming night, within the given number of hours.
    func truth(celsius: Double, hours: Int = 8) -> (more: Double, mean: Double) {
        let start = days * 24 - 2
        return truth(from: start, hours: hours) { (start..<(start + 8)).contains($0) ? celsius : nil }
    }

    /// The same for another set point, by the hour from the beginning; nil if the thermostat stays as usual.
    func truth(from start: Int, hours: Int, wish: @escaping @Sendable (Int) -> Double?) -> (more: Double, mean: Double) {
        var changed = room
        let (day, night) = (room.day, room.night)
        changed.changed = { hour in wish(hour) ?? ((6..<22).contains(hour % 24) ? day : night) }
        let (before, after) = (room.minutes(days: days + 2, seed: seed), changed.minutes(days: days + 2, seed: seed))
        let span = (start * 60)..<((start + hours) * 60)
        func energy(_ minutes: [GeneratedRoom.MinuteSample]) -> Double { minutes[span].reduce(0) { $0 + $1.heating } / 60 * Self.kilowatts }
        return (energy(after) - energy(before), after[span].reduce(0) { $0 + $1.inside } / Double(span.count))
    }

    func night(
        _ celsius: Double, _ metrics: Set<WhatIfMetric> = [.energy, .cost, .comfort, .temperature], hours: Double = 8
    ) -> WhatIfQuestion {
        WhatIfQuestion(
            scenario: "a warm night",
            changes: [
                .temperature(
                    roomID: Self.roomID, celsius: celsius,
                    during: QuietHours(from: GeneratedAccessMonth.time("22:00"), to: GeneratedAccessMonth.time("06:00")))
            ], from: evening, duration: hours * 3600, metrics: metrics)
    }
}
