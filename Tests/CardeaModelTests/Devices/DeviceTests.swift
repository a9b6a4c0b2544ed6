import CardeaModel
import Foundation
import Testing

@Suite("Search, features and actions of devices")
struct DeviceTests {
    private let lamp = Device(
        id: "lamp", name: "Lampe", deviceClass: .light, roomID: "hall", integration: "mqtt", manufacturer: "Lumière", status: .online,
        stateChangedAt: .distantPast, description: "Above the stairs",
        entities: [
            Entity(id: "light.lamp", kind: .light, name: "Lamp", verbs: [.on, .off, .setBrightness, .setColor]),
            Entity(id: "sensor.lamp", kind: .sensor, name: "Power", deviceClass: "power", unit: "W", verbs: []),
        ])

    @Test("A search matches every word in any case and without accents")
    func search() {
        let rooms = [Room(id: "hall", name: "Hall")]
        func fits(_ words: String) -> Bool {
            var filter = DeviceFilter()
            filter.search = words
            return filter.matches(lamp, rooms: rooms)
        }

        for words in ["lampe", "LUMIERE hall", "stairs power", "  "] { #expect(fits(words), "\(words)") }
        for words in ["cellar", "lampe cellar"] { #expect(!fits(words), "\(words)") }
    }

    @Test("A device's features follow from its entities' verbs and states")
    func features() {
        #expect(lamp.features == ["brightness", "color", "power"])
        let lock = Entity(id: "lock.a", kind: .lock, name: "A", verbs: [.lock, .unlock, .open])
        let blind = Entity(id: "cover.b", kind: .cover, name: "B", verbs: [.open, .close, .stop, .setTilt])
        let heating = Entity(id: "climate.c", kind: .climate, name: "C", verbs: [.setTemperature])
        let device = Device(
            id: "d", name: "D", deviceClass: .other, integration: "x", stateChangedAt: .distantPast, entities: [lock, blind, heating])
        #expect(device.features == ["latch", "lock", "open_close", "stop", "target_temperature", "temperature", "tilt"])
    }

    @Test("An action names the reason why a device does not support it")
    func actions() {
        #expect(throws: DeviceAction.ActionError.noSuchEntity) {
            try DeviceAction(deviceID: "lamp", entityID: "light.other", verb: .on).check(on: lamp)
        }
        #expect(throws: DeviceAction.ActionError.unsupported(.unlock)) { try DeviceAction(deviceID: "lamp", verb: .unlock).check(on: lamp) }
        #expect(throws: DeviceAction.ActionError.value(.setBrightness)) {
            try DeviceAction(deviceID: "lamp", verb: .setBrightness, value: 101).check(on: lamp)
        }
        var twin = lamp
        twin.entities.append(Entity(id: "light.two", kind: .light, name: "Two", verbs: [.on]))
        #expect(throws: DeviceAction.ActionError.ambiguous(["light.lamp", "light.two"])) {
            try DeviceAction(deviceID: "lamp", verb: .on).check(on: twin)
        }
        let on = DeviceAction(deviceID: "lamp", verb: .setBrightness, value: 10)
        #expect([on, on].distinct == [on])
        #expect([on, DeviceAction(deviceID: "lamp", verb: .setBrightness, value: 20)].distinct == nil)
    }

    @Test("A lamp accepts its reported white range, or the default range if none is valid")
    func whites() throws {
        func lamp(_ warmest: JSONValue?, _ coldest: JSONValue?) -> Entity {
            var attributes: [String: JSONValue] = [:]
            attributes["min_color_temp_kelvin"] = warmest
            attributes["max_color_temp_kelvin"] = coldest
            return Entity(id: "light.a", kind: .light, name: "A", verbs: [.setColor], state: EntityState("off", attributes: attributes))
        }
        let white = lamp(2200, 4000)

        #expect(white.whiteRange == 2200...4000)
        #expect(lamp(2200, nil).whiteRange == 2200...12000)
        for other in [
            lamp(nil, nil), lamp(500, 20_000), lamp(4000, 2200), lamp(10, 900), lamp("warm", []), lamp(20_000, 30_000),
        ] {
            #expect(other.whiteRange == Verb.warmth)
        }
        for kelvin: JSONValue in [2200, 3000, 4000] {
            #expect(try white.normalized(["temperature": kelvin], for: .setColor) == ["temperature": kelvin])
        }
        for kelvin: JSONValue in [2199, 4001, 12_000] {
            #expect(throws: DeviceAction.ActionError.white(2200...4000)) { try white.normalized(["temperature": kelvin], for: .setColor) }
        }
        #expect(throws: DeviceAction.ActionError.value(.setColor)) { try white.normalized(["temperature": 12_001], for: .setColor) }
        // A value stored before the limits were known means the nearest; a value that no lamp accepts means nothing.
        for (kept, nearest): (JSONValue, JSONValue) in [(1000, 2200), (2199, 2200), (3000, 3000), (4001, 4000), (12_000, 4000)] {
            #expect(try white.normalized(["temperature": kept], for: .setColor, isExisting: true) == ["temperature": nearest])
        }
        #expect(throws: DeviceAction.ActionError.value(.setColor)) {
            try white.normalized(["temperature": 12_001], for: .setColor, isExisting: true)
        }
        #expect(try white.normalized(["hue": 10, "saturation": 20], for: .setColor, isExisting: true) == ["hue": 10, "saturation": 20])
        #expect(try white.normalized(["hue": 10, "saturation": 20], for: .setColor) == ["hue": 10, "saturation": 20])
        #expect(throws: DeviceAction.ActionError.white(2200...4000)) {
            let device = Device(
                id: "lamp", name: "Lamp", deviceClass: .light, integration: "mqtt", stateChangedAt: .distantPast, entities: [white])
            try DeviceAction(deviceID: "lamp", verb: .setColor, value: ["temperature": 6000]).check(on: device)
        }
    }
}
