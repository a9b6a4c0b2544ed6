import CardeaModel
import Foundation

/// The rooms and devices of the virtual house.
public enum VirtualDeviceCatalog {
    public static let rooms = [
        Room(id: "hall", name: "Hall"), Room(id: "living-room", name: "Living room"), Room(id: "study", name: "Study"),
        Room(id: "garage", name: "Garage"), Room(id: "garden", name: "Garden"),
    ]

    static func devices(at now: Date) -> [Device] {
        [
            device(
                "front-door", "Front door", .security, "hall", now, ["actuations": 0],
                Entity(
                    id: "lock.front_door", kind: .lock, name: "Front door", verbs: [.lock, .unlock], state: EntityState("locked"))),
            device(
                "garage", "Garage door", .security, "garage", now, ["actuations": 0],
                Entity(
                    id: "cover.garage", kind: .cover, name: "Garage door", deviceClass: "garage",
                    verbs: [.open, .close, .stop, .setPosition], state: EntityState("closed", attributes: ["position": 0]))),
            device(
                "hall-light", "Hall light", .light, "hall", now, [:],
                Entity(
                    id: "light.hall", kind: .light, name: "Hall light", verbs: [.on, .off, .setBrightness],
                    state: EntityState("off", attributes: ["brightness": 60]))),
            device(
                "study-light", "Study light", .light, "study", now, [:],
                Entity(
                    id: "light.study", kind: .light, name: "Study light", verbs: [.on, .off, .setBrightness, .setColor],
                    state: EntityState(
                        "on",
                        attributes: [
                            "brightness": 62, "color": ["temperature": 2700], EntityState.warmestWhite: 2000,
                            EntityState.coldestWhite: 6500,
                        ]))),
            device(
                "living-climate", "Living room heating", .climate, "living-room", now, [:],
                Entity(
                    id: "climate.living_room", kind: .climate, name: "Living room heating", unit: "°C",
                    verbs: [.on, .off, .setTemperature, .setMode],
                    state: EntityState(
                        "heat",
                        attributes: [
                            "current_temperature": 20.6, "target_temperature": 21, EntityState.modes: ["heat", "auto", "off"],
                        ]))),
            device(
                "living-fan", "Living room fan", .appliance, "living-room", now, [:],
                Entity(
                    id: "fan.living_room", kind: .fan, name: "Living room fan", verbs: [.on, .off, .setPercentage],
                    state: EntityState("off", attributes: ["percentage": 30]))),
            device(
                "hall-motion", "Hall motion", .sensor, "hall", now, [:],
                Entity(
                    id: "binary_sensor.hall_motion", kind: .binarySensor, name: "Hall motion", deviceClass: "motion", verbs: [],
                    state: EntityState("off"))),
            device(
                "garden-temperature", "Garden temperature", .sensor, "garden", now, [:],
                Entity(
                    id: "sensor.garden_temperature", kind: .sensor, name: "Garden temperature", deviceClass: "temperature", unit: "°C",
                    verbs: [], state: EntityState("7.8"))),
            device(
                "house-meter", "Electricity meter", .sensor, "hall", now, [:],
                Entity(
                    id: "sensor.house_power", kind: .sensor, name: "Power", deviceClass: "power", unit: "W", verbs: [],
                    state: EntityState("410")),
                Entity(
                    id: "sensor.house_energy", kind: .sensor, name: "Energy", deviceClass: "energy", unit: "kWh", verbs: [],
                    state: EntityState("1204.500"))),
        ]
    }

    /// Further lights, by number, spread over the rooms.
    static func lights(_ count: Int, at now: Date) -> [Device] {
        (0..<max(0, count)).map { index in
            let name = "Light \(index + 1)"
            return device(
                "light-\(index + 1)", name, .light, rooms[index % rooms.count].id, now, [:],
                Entity(
                    id: "light.number_\(index + 1)", kind: .light, name: name, verbs: [.on, .off, .setBrightness],
                    state: EntityState("off", attributes: ["brightness": 60])))
        }
    }

    /// Returns the state after a power failure of a device that was moving.
    static func atRest(_ state: EntityState) -> EntityState {
        var state = state
        switch state.value {
        case "unlocking", "locking", "jammed": state.value = "locked"
        case "opening", "closing": state.value = (state.attributes["position"]?.number ?? 0) > 0 ? "open" : "closed"
        default: break
        }
        return state
    }

    private static func device(
        _ id: String, _ name: String, _ kind: DeviceClass, _ room: String, _ now: Date, _ attributes: [String: JSONValue],
        _ entities: Entity...
    ) -> Device {
        Device(
            id: id, name: name, deviceClass: kind, roomID: room, integration: "virtual", manufacturer: "Cardea", model: "Virtual",
            status: .online, attributes: attributes, stateChangedAt: now, discovery: "virtual_house", entities: entities)
    }
}
