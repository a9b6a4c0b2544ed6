import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation

/// A living room that has been heated for a month, with known constants: 25 h, 2.2 °C an hour at its two kilowatts, and 0.03 °C from
/// elsewhere; and a dryer that runs for an hour each day.
enum HeatedRoomFixture {
    static let (tau, rate, gain, kilowatts) = (25.0, 2.2, 0.03, 2.0)
    static let days = 30
    static let roomID = "living-room"

    static func install(_ house: TestHouse, by owner: Principal) async throws {
        _ = try await house.hub.rooms.add(RoomTraits(name: "Living room"), position: nil, by: owner, call: nil, origin: .house)
        func sensor(_ id: String, _ name: String, _ deviceClass: String, _ unit: String) -> Entity {
            Entity(id: id, kind: .sensor, name: name, deviceClass: deviceClass, unit: unit, verbs: [])
        }
        let heater = Entity(
            id: "switch.living_heater", kind: .switch, name: "Living heater", verbs: [.on, .off], state: EntityState("off"))
        let things: [(id: String, name: String, room: String?, entities: [Entity])] = [
            ("living-sensor", "Living room temperature", roomID, [sensor("sensor.living", "Temperature", "temperature", "°C")]),
            ("garden-sensor", "Garden temperature", nil, [sensor("sensor.garden", "Temperature", "temperature", "°C")]),
            ("living-heater", "Living heater", roomID, [heater, sensor("sensor.heater_energy", "Energy", "energy", "kWh")]),
            ("dryer", "Dryer", nil, [sensor("sensor.dryer_energy", "Energy", "energy", "kWh")]),
        ]
        for thing in things {
            try await house.hub.devices.announce(
                Device(
                    id: thing.id, name: thing.name, deviceClass: DeviceClass(of: thing.entities), integration: "scripted", status: .online,
                    stateChangedAt: house.clock.now, entities: thing.entities))
            if let room = thing.room {
                _ = try await house.hub.devices.edit(thing.id, .init(room: .room(room)), by: owner, origin: .house)
            }
        }
        _ = try await house.hub.readings.importReadings(readings(until: house.clock.now))
        try await house.hub.readings.condenseImported()
    }

    /// The sensor readings until a moment, every ten minutes.
    private static func readings(until now: Date) -> [Readings.ImportedReading] {
        var past: [Readings.ImportedReading] = []
        let start = now.addingTimeInterval(-Double(days) * 86_400)
        var (inside, isOn, heated, dried) = (20.0, false, 0.0, 0.0)
        let keep = exp(-1 / 60 / tau)
        for minute in 0..<(days * 1440) {
            let at = start.addingTimeInterval(Double(minute) * 60)
            let hours = at.timeIntervalSince1970 / 3600
            let outside = 5 + 4 * sin((hours - 9) / 24 * 2 * .pi) + 3 * sin(hours / 37) + 2 * sin(hours / 68)
            let hour = Int(hours) % 24
            let goal = (5..<21).contains(hour) ? 20.5 : 17.5
            if inside < goal - 0.2 { isOn = true } else if inside > goal + 0.2 { isOn = false }
            // Its second report of each hour comes at the hour's end.
            if minute % 10 == 9 {
                past.append(.init(entityID: "sensor.living", at: at, value: (inside * 100).rounded() / 100))
                past.append(.init(entityID: "sensor.garden", at: at, value: (outside * 10).rounded() / 10))
                past.append(.init(entityID: "sensor.heater_energy", at: at, value: heated))
                past.append(.init(entityID: "sensor.dryer_energy", at: at, value: dried))
            }
            inside = keep * inside + (1 - keep) * (outside + tau * (rate * (isOn ? 1 : 0) + gain))
            if isOn { heated += kilowatts / 60 }
            if hour == 18 { dried += 1.5 / 60 }
        }
        return past
    }
}
