import CardeaModel
import Foundation

/// The sensors for a room's thermal twin: inside and outside temperature, and heating.
public struct ThermalSensors: Hashable, Sendable {
    public let roomID: String
    /// Entities.
    public let inside: Source
    public let outside: Source
    public let heating: Heating

    public struct Source: Hashable, Sendable {
        public let entityID: String
        let isFahrenheit: Bool

        init(_ entity: Entity) {
            entityID = entity.id
            isFahrenheit = entity.unit == "°F"
        }

        /// The same hours in °C.
        func celsius(_ hours: [HourlyReading]) -> [HourlyReading] {
            guard isFahrenheit else { return hours }
            func degrees(_ value: Double) -> Double { (value - 32) / 1.8 }
            return hours.map {
                HourlyReading(
                    hour: $0.hour, low: degrees($0.low), high: degrees($0.high), mean: degrees($0.mean), first: degrees($0.first),
                    last: degrees($0.last), used: $0.used, count: $0.count, start: $0.start.map(degrees))
            }
        }
    }

    /// The same hours without values that outages make doubtful. For an hour in which the sensor's device was offline, the value at its
    /// start and the values after its last report are not known.
    ///
    /// - Parameter standings: the status changes of the device. Before the first of them it counts as online.
    static func excludingOutages(_ hours: [HourlyReading], by standings: [HouseEvent]) -> [HourlyReading] {
        var gone: [(from: Date, to: Date)] = []
        var since: Date?
        for event in standings.sorted(by: { ($0.at, $0.id) < ($1.at, $1.id) }) {
            guard case .deviceStatus(let status) = event.fact else { continue }
            if status != .online {
                since = since ?? event.at
            } else if let begun = since {
                gone.append((begun, event.at))
                since = nil
            }
        }
        if let since { gone.append((since, .distantFuture)) }
        guard !gone.isEmpty else { return hours }
        return hours.map { hour in
            let end = hour.hour.addingTimeInterval(3600)
            guard gone.contains(where: { $0.from < end && hour.hour < $0.to }) else { return hour }
            return HourlyReading(
                hour: hour.hour, low: hour.low, high: hour.high, mean: hour.mean, first: hour.first, last: hour.last, used: hour.used,
                count: hour.count)
        }
    }

    public enum Heating: Hashable, Sendable {
        /// A meter that measures this room's heating only.
        case metered(deviceID: String, entityID: String, EnergyMetering)
        /// An entity that reports when it heats.
        case stateReported(deviceID: String, entityID: String)
    }

    /// The states of an entity that mean it is heating.
    static let heatingStates: Set<String> = ["heat", "heating", "on"]

    /// Returns true if the room is outdoors, by its name.
    static func isOutside(_ room: Room) -> Bool { !words(room.name).isDisjoint(with: outdoorTerms) }

    /// Returns true if the device is outdoors, by its name, whatever room it is in.
    static func isOutside(_ device: Device) -> Bool { !words(device.name).isDisjoint(with: outdoorTerms) }

    private static let outdoorTerms: Set<String> = [
        "outside", "outdoor", "outdoors", "exterior", "weather", "garden", "balcony", "terrace", "patio", "porch", "yard",
    ]
    /// Words in names of things whose temperature does not follow the room's.
    private static let excludedTerms: Set<String> = [
        "fridge", "refrigerator", "freezer", "oven", "boiler", "water", "flow", "return", "supply", "radiator", "floor", "cpu", "chip",
        "device", "pool", "aquarium", "dryer", "washer",
    ]
    private static let heaterTerms: Set<String> = ["heater", "heating", "heat", "radiator", "boiler", "furnace", "stove"]

    /// The sources of a room, as far as they are in `house`; nil if one is missing.
    public init?(of roomID: String, in house: HouseSnapshot) {
        guard let room = house.rooms.first(where: { $0.id == roomID }) else { return nil }
        let devices = house.devices.filter { $0.roomID == roomID }
        guard !Self.isOutside(room), let inside = Self.insideSensor(devices), let outside = Self.outsideSensor(house),
            let heating = Self.heatingSource(devices)
        else { return nil }
        self.roomID = roomID
        self.inside = Source(inside)
        self.outside = Source(outside)
        self.heating = heating
    }

    /// The rooms with heating.
    public static func heatedRooms(of house: HouseSnapshot) -> [String] {
        house.rooms.map(\.id).filter { id in heatingSource(house.devices.filter { $0.roomID == id }) != nil }
    }

    /// Returns true if a device heats or measures its room.
    public static func concerns(_ device: Device) -> Bool {
        device.entities.contains { $0.kind == .climate || isThermometer($0) } || isHeater(device)
    }

    // MARK: Finding

    private static func insideSensor(_ devices: [Device]) -> Entity? {
        let found = devices.flatMap { device in
            device.entities.filter { isThermometer($0) && words(of: $0, device).isDisjoint(with: excludedTerms.union(outdoorTerms)) }.map {
                (device, $0)
            }
        }
        // A device that only measures is placed to measure the room.
        return found.min { one, other in
            let (left, right) = (one.0.deviceClass == .sensor ? 0 : 1, other.0.deviceClass == .sensor ? 0 : 1)
            return (left, one.1.id) < (right, other.1.id)
        }?.1
    }

    private static func outsideSensor(_ house: HouseSnapshot) -> Entity? {
        let names = Dictionary(house.rooms.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        return house.devices.flatMap { device in
            device.entities.filter { entity in
                let told = words(of: entity, device).union(words(device.roomID.flatMap { names[$0] } ?? ""))
                return isThermometer(entity) && !told.isDisjoint(with: outdoorTerms) && told.isDisjoint(with: excludedTerms)
            }
        }
        .min { $0.id < $1.id }
    }

    private static func heatingSource(_ devices: [Device]) -> Heating? {
        let heaters = devices.filter { $0.entities.contains { $0.kind == .climate } || isHeater($0) }.sorted { $0.id < $1.id }
        let meters = heaters.flatMap { device in
            device.entities.compactMap { entity in EnergyMetering(entity, of: device).map { (device.id, entity.id, $0) } }
        }
        .filter { [.electricity, .gas].contains($0.2.energy) }
        // A counter says more than a meter that shows the present power now and then.
        if let best = meters.first(where: { $0.2.quantity == .total }) ?? meters.first {
            return .metered(deviceID: best.0, entityID: best.1, best.2)
        }
        let said = heaters.flatMap { device in
            device.entities.filter { [.climate, .switch].contains($0.kind) || ($0.kind == .binarySensor && $0.deviceClass == "heat") }.map {
                (device.id, $0)
            }
        }
        let best = said.first { $0.1.kind != .climate } ?? said.first
        return best.map { .stateReported(deviceID: $0.0, entityID: $0.1.id) }
    }

    private static func isThermometer(_ entity: Entity) -> Bool {
        entity.kind == .sensor && entity.isEnabled && EnvironmentMetric(deviceClass: entity.deviceClass) == .temperature
            && ["°C", "°F", nil].contains(entity.unit)
    }

    private static func isHeater(_ device: Device) -> Bool {
        !words(device.name).union(words(device.id)).isDisjoint(with: heaterTerms)
    }

    private static func words(of entity: Entity, _ device: Device) -> Set<String> {
        words(entity.id).union(words(entity.name)).union(words(device.name)).union(words(device.id))
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.lowercased().split { !$0.isLetter }.map(String.init))
    }
}
