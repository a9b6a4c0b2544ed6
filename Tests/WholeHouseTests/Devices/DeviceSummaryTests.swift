import CardeaAPI
import CardeaModel
import Foundation
import Testing

@Suite("Device summary of several entities")
struct DeviceSummaryTests {
    private func entity(
        _ kind: EntityKind, _ state: String, as deviceClass: String? = nil, _ attributes: [String: JSONValue] = [:]
    ) -> Entity {
        Entity(
            id: "\(kind.rawValue).\(UUID().uuidString)", kind: kind, name: "Part", deviceClass: deviceClass, verbs: [],
            state: EntityState(state, attributes: attributes))
    }

    private func state(_ entities: [Entity]) -> [String: JSONValue] {
        let device = Device(
            id: "device", name: "Device", deviceClass: .other, integration: "mqtt", stateChangedAt: Date(timeIntervalSince1970: 0),
            entities: entities)
        return DeviceAnswer(device, room: nil).state
    }

    @Test("A door with two bolts is locked only if both are, in any order")
    func locked() {
        let (shut, open, unknown) = (entity(.lock, "locked"), entity(.lock, "unlocked"), entity(.lock, "unknown"))

        #expect(state([shut, shut])["locked"] == true)
        for bolts in [[shut, open], [open, shut], [open, unknown], [entity(.lock, "jammed"), shut]] {
            #expect(state(bolts)["locked"] == false)
        }
        #expect(state([shut, unknown])["locked"] == nil && state([unknown])["locked"] == nil)
    }

    @Test("A device is open if one part is open, and has motion if one sensor reports it")
    func openAndMotion() {
        let (open, closed) = (entity(.binarySensor, "on", as: "window"), entity(.binarySensor, "off", as: "door"))
        let (moves, still) = (entity(.binarySensor, "on", as: "motion"), entity(.binarySensor, "off", as: "occupancy"))

        for parts in [[open, closed], [closed, open], [entity(.cover, "open"), closed]] { #expect(state(parts)["open_closed"] == "open") }
        #expect(state([closed, entity(.cover, "closed")])["open_closed"] == "closed")
        for parts in [[entity(.cover, "opening"), closed], [closed, entity(.cover, "opening")]] {
            #expect(state(parts)["open_closed"] == "opening")
        }
        for parts in [[moves, still], [still, moves]] { #expect(state(parts)["motion"] == true) }
        #expect(state([still, still])["motion"] == false && state([closed])["motion"] == nil)
    }

    @Test("A lamp's power follows its light, not the switch beside it, with brightness and color")
    func lights() {
        let light = entity(.light, "on", ["brightness": 40, "color": ["temperature": 2700]])
        let second = entity(.light, "off")
        let childLock = entity(.switch, "off", ["brightness": 7])

        for parts in [[light, childLock], [childLock, light], [light, second]] {
            let said = state(parts)
            #expect(said["power"] == "on" && said["brightness"] == 40)
            #expect(said["color"] == ["temperature": 2700, "hue": 0, "saturation": 0])
        }
        #expect(state([second, light])["power"] == "off" && state([second, light])["brightness"] == 40)
        #expect(state([childLock])["power"] == "off" && state([childLock])["brightness"] == nil)
        #expect(state([childLock, entity(.switch, "on")])["power"] == "off")
        #expect(state([childLock, entity(.fan, "on")])["power"] == "on" && state([childLock, entity(.climate, "heat")])["power"] == "on")
    }

    @Test("A media player reports standby, off or on by its current state")
    func standby() {
        #expect(state([entity(.media, "off", ["standby": true])])["power"] == "standby")
        #expect(state([entity(.media, "off", ["volume": 30])])["power"] == "off")
        #expect(state([entity(.media, "off", ["standby": false])])["power"] == "off")
        #expect(state([entity(.media, "on", ["standby": true])])["power"] == "on")
        #expect(state([entity(.switch, "on"), entity(.media, "off", ["standby": true])])["power"] == "standby")
        #expect(state([entity(.fan, "off", ["standby": true])])["power"] == "off", "only a player waits")
        #expect(state([entity(.media, "unknown", ["standby": true])])["power"] == nil)
    }

    @Test("Of two sensors of a kind the first one counts, and a thermostat comes before a sensor")
    func measured() {
        let (first, second) = (entity(.sensor, "20.5", as: "temperature"), entity(.sensor, "3", as: "temperature"))
        let damp = [entity(.sensor, "nan", as: "humidity"), entity(.sensor, "41", as: "humidity"), entity(.sensor, "90", as: "humidity")]
        let thermostat = entity(.climate, "heat", ["current_temperature": 19, "target_temperature": 21])

        #expect(state([first, second])["temperature"] == ["current": 20.5, "target": .null, "unit": "°C"])
        #expect(state(damp)["humidity"] == 41)
        for parts in [[first, thermostat], [thermostat, first, entity(.climate, "off")]] {
            #expect(state(parts)["temperature"] == ["current": 19, "target": 21, "unit": "°C"])
        }
    }

    @Test("A color always has hue and saturation: zero for white, otherwise as the light reports")
    func colors() {
        func color(_ said: JSONValue) -> JSONValue? { state([entity(.light, "on", ["color": said])])["color"] }

        #expect(color(["white": 40]) == ["white": 40, "hue": 0, "saturation": 0])
        #expect(color(["hue": 120, "saturation": 50]) == ["hue": 120, "saturation": 50])
        #expect(color(.null) == nil && state([entity(.light, "on")])["color"] == nil)
    }

    @Test("Values without their own member are listed per entity with unit; duplicates and unknown ones are not")
    func untold() throws {
        func part(_ id: String, _ kind: EntityKind, _ state: String, as deviceClass: String? = nil, unit: String? = nil) -> Entity {
            Entity(id: id, kind: kind, name: "Part", deviceClass: deviceClass, unit: unit, verbs: [], state: EntityState(state))
        }
        func custom(_ entities: [Entity], _ attributes: [String: JSONValue] = [:]) throws -> JSONValue? {
            let device = Device(
                id: "device", name: "Device", deviceClass: .other, integration: "mqtt", attributes: attributes,
                stateChangedAt: Date(timeIntervalSince1970: 0), entities: entities)
            let answer = DeviceAnswer(device, room: nil)
            let written = try answer.jsonValue["current_state"]?["custom_attributes"]
            #expect(written == answer.currentState["custom_attributes"])
            return written
        }
        let (power, mode) = (part("sensor.power", .sensor, "410", as: "power", unit: "W"), part("sensor.mode", .sensor, "eco"))
        let (near, far) = (part("sensor.near", .sensor, "20.5", as: "temperature"), part("sensor.far", .sensor, "3", as: "temperature"))
        let battery = part("binary_sensor.battery", .binarySensor, "on", as: "battery")

        #expect(
            try custom([power, mode, battery], ["firmware": "1.2"]) == [
                "firmware": "1.2", "sensor.power": ["value": 410, "unit": "W"], "sensor.mode": ["value": "eco"],
                "binary_sensor.battery": ["value": true],
            ])
        #expect(try custom([near, far]) == ["sensor.far": ["value": 3]])
        #expect(try custom([near, part("climate.room", .climate, "heat")]) == ["sensor.near": ["value": 20.5]])
        #expect(try custom([part("binary_sensor.door", .binarySensor, "on", as: "door"), part("lock.door", .lock, "locked")]) == [:])
        #expect(try custom([part("sensor.power", .sensor, "unknown", as: "power")], ["firmware": "1.2"]) == ["firmware": "1.2"])
    }

    @Test("A discovered device has confidence 1, a planned device none")
    func confidence() {
        var device = Device(
            id: "device", name: "Device", deviceClass: .other, integration: "mqtt", stateChangedAt: Date(timeIntervalSince1970: 0),
            entities: [])
        #expect(DeviceAnswer(device, room: nil).discoveryConfidence == 1)
        device.integration = Device.planned
        #expect(DeviceAnswer(device, room: nil).discoveryConfidence == nil)
    }
}
