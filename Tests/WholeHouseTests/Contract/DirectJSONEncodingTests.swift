import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("JSON written without an encoder")
struct DirectJSONEncodingTests {
    private func encodesIdentically(_ answer: some DirectJSONEncodable) throws -> Bool {
        try WireFormat.encode(answer) == WireFormat.encoder().encode(answer)
    }

    @Test("A full and an empty device are written as the encoder writes them")
    func devices() throws {
        var full = Device(
            id: "study", name: "Büro \"2\"\n", deviceClass: .light, roomID: "study", integration: "mqtt", status: .online,
            attributes: ["firmware": "1.2", "signal": -61.5, "pairs": [1, 2.25, .null, ["deep": true]]],
            stateChangedAt: Date(timeIntervalSince1970: 1_795_000_000.125),
            entities: [
                Entity(
                    id: "light.study", kind: .light, name: "Light", verbs: [.on, .off, .setBrightness, .setColor],
                    state: EntityState("on", attributes: ["brightness": 62, "color": ["temperature": 2700]])),
                Entity(
                    id: "sensor.study", kind: .sensor, name: "Temperature", deviceClass: "temperature", unit: "°C", verbs: [],
                    state: EntityState("20.6"), notice: "is old"),
                Entity(
                    id: "lock.study", kind: .lock, name: "Bolt", isEnabled: false, verbs: [.lock, .unlock], state: EntityState("jammed")),
            ])
        full.manufacturer = "Maker"
        full.model = "M/1"
        full.description = "over the desk"
        full.discovery = "mqtt"
        full.hubID = "bridge"
        full.lastSeenAt = Date(timeIntervalSince1970: 1_795_000_001)
        let empty = Device(
            id: "x", name: "X", deviceClass: .other, integration: "virtual", status: .unknown,
            stateChangedAt: .init(timeIntervalSince1970: 0),
            entities: [])

        #expect(try encodesIdentically(DeviceAnswer(full, room: "Study")))
        let entities = try full.entities.map { try EntityAnswer($0, on: full.name).jsonText }
        let answer = DeviceAnswer(full, room: "Study")
        #expect(try String(decoding: answer.bytes(entities: entities, make: DeviceStaticFields(full)), as: UTF8.self) == answer.jsonText)
        #expect(try answer.bytes(entities: entities, make: DeviceStaticFields(full), form: .source) == answer.bytes(form: .source))
        #expect(try DeviceAnswer(full, room: "Study").jsonValue["current_state"]?["brightness"] == 62)
        #expect(try DeviceAnswer(full, room: "Study").jsonValue["current_state"]?["custom_attributes"]?["firmware"] == "1.2")
        #expect(try encodesIdentically(DeviceAnswer(empty, room: nil)))
        for entity in full.entities { #expect(try encodesIdentically(EntityAnswer(entity, on: full.name))) }
    }

    @Test("Cached device JSON is renewed when an entity's capabilities change, not when its state does")
    func make() throws {
        var lamp = Entity(
            id: "light.study", kind: .light, name: "Light", verbs: [.on, .setColor],
            state: EntityState("on", attributes: [EntityState.colorModes: ["color_temp"], "brightness": 62]))
        var device = Device(
            id: "study", name: "Study", deviceClass: .light, integration: "mqtt", status: .online, stateChangedAt: .distantPast,
            entities: [lamp])
        let before = (lamp, try DeviceAnswer(device, room: nil).jsonText)
        let changes: [(isSame: Bool, (inout Entity) -> Void)] = [
            (true, { $0.state = EntityState("off", attributes: before.0.state.attributes.merging(["brightness": 3]) { $1 }) }),
            (true, { $0.name = "Lamp" }),
            (false, { $0.verbs.insert(.setBrightness) }),
            (false, { $0.isEnabled = false }),
            (false, { $0.state.attributes[EntityState.colorModes] = ["hs"] }),
            (false, { $0.state.attributes[EntityState.warmestWhite] = 2200 }),
        ]
        for (isSame, change) in changes {
            lamp = before.0
            change(&lamp)
            #expect(DeviceStaticFields.isSame(before.0, lamp) == isSame)
            device.entities = [lamp]
            let (made, text) = (try DeviceStaticFields(device), try DeviceAnswer(device, room: nil).jsonText)
            #expect(
                try String(
                    decoding: DeviceAnswer(device, room: nil, entities: [EntityAnswer(lamp, on: device.name)], make: made)
                        .bytes(entities: [EntityAnswer(lamp, on: device.name).jsonText], make: made), as: UTF8.self) == text)
            let told = JSONValue.read(Array(before.1.utf8))?["capabilities"]
            #expect((JSONValue.read(Array(text.utf8))?["capabilities"] == told) == isSame)
        }
    }

    @Test("Timestamps match the calendar on leap days, at year ends and beyond the calendar's range")
    func moments() {
        let style = Date.ISO8601FormatStyle.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(
            separator: .omitted)
        var generator = SeededGenerator.forTest(2)
        let chosen: [Int64] = [
            0, 951_782_399_000, 951_782_400_000, 951_868_800_000, 4_107_542_400_000, 1_798_761_599_999, 253_402_300_799_999,
        ]
        for milliseconds in chosen + (0..<2000).map({ _ in Int64.random(in: 0..<253_402_300_800_000, using: &generator) }) {
            // A millisecond is not a binary fraction, and a calendar may truncate it: half a millisecond more gives the right text.
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            #expect(Timestamp.text(date) == date.addingTimeInterval(0.0001).formatted(style), "seed \(generator.seed)")
        }
        for date in [Date(timeIntervalSince1970: -1), .distantPast, Date(timeIntervalSince1970: 253_402_300_800)] {
            #expect(Timestamp.text(date) == date.formatted(style))
        }
    }

    @Test("Deeply nested device attributes are written completely")
    func deep() throws {
        let nested = (0..<40).reduce(JSONValue.number(7)) { inner, _ in ["in": inner] }
        let said = StateReportData(entityID: "sensor.deep", state: "on", attributes: ["deep": nested])
        #expect(try said.jsonValue["attributes"]?["deep"] == nested)
    }

    @Test("Finished and unfinished commands and entity states are written as the encoder writes them")
    func others() throws {
        let said: [String: JSONValue] = ["position": 40, "moving": false]
        #expect(
            try encodesIdentically(
                CommandAnswer(
                    commandID: "cmd_1", deviceID: "garage", entityID: "cover.garage", action: .setPosition, status: .failed,
                    reason: "jammed",
                    newState: EntityState("open", attributes: said), executionTime: 1250)))
        #expect(
            try encodesIdentically(
                CommandAnswer(
                    commandID: "cmd_2", deviceID: "garage", entityID: "cover.garage", action: .open, status: .dispatching, reason: nil,
                    newState: nil, executionTime: nil)))
        #expect(try encodesIdentically(StateReportData(entityID: "cover.garage", state: "open", attributes: said)))
    }
}
