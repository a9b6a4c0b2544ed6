import CardeaModel
import Foundation
import Testing

@Suite("Rooms, preferences, meters and readings")
struct ModelValueTests {
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
            #expect(try white.normalized(["temperature": kept], for: .setColor, isKept: true) == ["temperature": nearest])
        }
        #expect(throws: DeviceAction.ActionError.value(.setColor)) {
            try white.normalized(["temperature": 12_001], for: .setColor, isKept: true)
        }
        #expect(try white.normalized(["hue": 10, "saturation": 20], for: .setColor, isKept: true) == ["hue": 10, "saturation": 20])
        #expect(try white.normalized(["hue": 10, "saturation": 20], for: .setColor) == ["hue": 10, "saturation": 20])
        #expect(throws: DeviceAction.ActionError.white(2200...4000)) {
            let device = Device(
                id: "lamp", name: "Lamp", deviceClass: .light, integration: "mqtt", stateChangedAt: .distantPast, entities: [white])
            try DeviceAction(deviceID: "lamp", verb: .setColor, value: ["temperature": 6000]).check(on: device)
        }
    }

    @Test("An observed version accepts only that version")
    func versions() {
        #expect(ExpectedVersion.any.allows(7) && ExpectedVersion.oneOf([6, 7]).allows(7))
        #expect(!ExpectedVersion.oneOf([6]).allows(7) && !ExpectedVersion.oneOf([]).allows(7))
    }

    @Test("An invalid room is refused with the name of the field")
    func rooms() throws {
        var room = RoomTraits(name: "  Hall ")
        room.activities = [" reading "]
        #expect(try room.checked().name == "Hall")
        #expect(try room.checked().activities == ["reading"])
        room.lighting.colorTemperature = 1
        #expect(throws: FieldError.range(field: "lighting_preferences.color_temperature", 1000...12_000)) { try room.checked() }
        room.lighting.colorTemperature = nil
        #expect(try room.checked().lighting.defaultBrightness == nil)
        room.lighting.defaultBrightness = 0
        #expect(throws: FieldError.range(field: "lighting_preferences.default_brightness", 1...100)) { try room.checked() }
        room.lighting.defaultBrightness = 1
        room.activities = Array(repeating: "x", count: 33)
        #expect(throws: FieldError.tooMany(field: "activities", 32)) { try room.checked() }
        room.name = ""
        #expect(throws: FieldError.name(field: "name", .empty)) { try room.checked() }
    }

    @Test("Quiet hours span midnight in local time")
    func quiet() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let hours = QuietHours(from: try #require(TimeOfDay("22:00")), to: try #require(TimeOfDay("07:00")))
        #expect(TimeOfDay(minutes: 1439)?.description == "23:59" && TimeOfDay(minutes: 1440) == nil && TimeOfDay(minutes: -1) == nil)
        // Saturday, 21 November 2026, 14:00 UTC: 15:00 in Berlin.
        let afternoon = Date(timeIntervalSince1970: 1_795_269_600)
        for (later, isQuiet) in [(0.0, false), (6.9, false), (7, true), (15.9, true), (16, false)] {
            #expect(hours.contains(afternoon.addingTimeInterval(later * 3600), in: zone) == isQuiet, "\(later) h later")
        }
    }

    @Test("A sensor measures energy by device class and unit, and solar energy by its name")
    func metering() throws {
        func metering(_ name: String, _ deviceClass: String, _ unit: String) -> Metering? {
            let entity = Entity(id: "sensor.x", kind: .sensor, name: name, deviceClass: deviceClass, unit: unit, verbs: [])
            return Metering(
                entity,
                of: Device(id: "x", name: "Meter", deviceClass: .sensor, integration: "x", stateChangedAt: .distantPast, entities: [entity])
            )
        }

        let power = try #require(metering("Mains", "power", "kW"))
        #expect(power.energy == .electricity && power.quantity == .power && power.factor == 1000)
        #expect(metering("PV roof", "energy", "kWh")?.energy == .solar)
        #expect(metering("PVC works", "energy", "kWh")?.energy == .electricity)
        #expect(metering("Main", "water", "m³")?.factor == 1000 && metering("Main", "gas", "m³")?.energy == .gas)
        #expect(metering("Main", "energy", "BTU") == nil && metering("Hall", "temperature", "°C") == nil)
    }

    @Test("Energy costs follow the user's own rates")
    func costs() {
        let mine = Preferences()
        #expect(EnergyKind.electricity.cost(of: 100, by: mine) == 15)
        #expect(EnergyKind.water.cost(of: 1000, by: mine) == 6)
        #expect(EnergyKind.solar.cost(of: 100, by: mine) == 0)
        #expect(EnergyKind.gas.cost(of: 100, by: mine) == nil)
    }

    @Test("An hourly meter reading spans a restart of the meter")
    func hour() throws {
        let start = Date(timeIntervalSince1970: 1_795_269_600)
        let readings = [98.0, 100, 1, 3].enumerated().map { Reading(at: start.addingTimeInterval(Double($0.offset)), value: $0.element) }
        let hour = try #require(HourlyReading(readings, in: start))

        #expect(hour.low == 1 && hour.high == 100 && hour.count == 4)
        #expect(hour.first == 98 && hour.last == 3 && hour.used == 5)
        #expect(HourlyReading([], in: start) == nil)
    }

    @Test("An hourly mean is weighted by time, each value holding until the next")
    func overTime() throws {
        let start = Date(timeIntervalSince1970: 1_795_269_600)
        func hour(_ words: [(minute: Double, value: Double)], after: Double?, from: Double = 0, until: Double = 60) -> HourlyReading? {
            HourlyReading(
                words.map { Reading(at: start + $0.minute * 60, value: $0.value) }, in: start, after: after, from: start + from * 60,
                until: start + until * 60)
        }
        // It warmed for a third of the hour, and then stayed.
        let words: [(minute: Double, value: Double)] = [(10, 18), (20, 20)]

        #expect(hour(words, after: nil)?.mean == 19.6 && hour(words, after: nil)?.start == nil)
        let whole = try #require(hour(words, after: 24))
        #expect(abs(whole.mean - 61.0 / 3) < 1e-9)
        #expect(whole.low == 18 && whole.high == 24 && whole.first == 18 && whole.start == 24)
        #expect(hour(words, after: 24, until: 40)?.mean == 20.5)
        #expect(hour(words, after: 24, from: 5, until: 25)?.mean == 20)
        // An empty period has the reported value; a clock that was set back subtracts nothing.
        #expect(hour([(10, 18)], after: nil, until: 10)?.mean == 18)
        #expect(hour(words, after: 24, until: 15)?.mean == 21)
        // Numbers that overflow the sum are no reason to drop the hour.
        #expect(hour([(0, 1e308), (30, -1e308)], after: 0)?.mean.isFinite == true)
        #expect(hour([(0, 21.3), (7, 21.3), (13, 21.3)], after: 21.3)?.mean == 21.3)
    }

    @Test("Several hours are averaged by time, and silence holds the last value")
    func hoursTogether() throws {
        let start = Date(timeIntervalSince1970: 1_795_269_600)
        func hour(_ number: Double, _ mean: Double, last: Double, count: Int, start before: Double? = nil) -> HourlyReading {
            HourlyReading(
                hour: start + number * 3600, low: 0, high: 99, mean: mean, first: mean, last: last, used: 0, count: count, start: before)
        }
        let hours = [hour(0, 20, last: 24, count: 1), hour(1, 22, last: 18, count: 300, start: 24)]

        #expect(hours.meanOverTime() == 21)
        #expect(hours.meanOverTime(until: start + 4 * 3600) == 19.5)
        #expect(hours.dropFirst().meanOverTime(from: start, until: start + 2 * 3600) == 23)
        #expect((hours + [hour(3, 20, last: 20, count: 1)]).meanOverTime() == 20)
        #expect([HourlyReading]().meanOverTime() == nil)
    }

    @Test("Readings are grouped by full hours, and non-numbers are no readings")
    func rules() {
        #expect(ReadingPolicy.hour(of: 3_600_001) == 3_600_000 && ReadingPolicy.hour(of: -1) == -3_600_000)
        #expect(ReadingPolicy.number(EntityState("nan"), of: .sensor) == nil && ReadingPolicy.number(EntityState("1"), of: .lock) == nil)
    }
}
