import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import Testing

@Suite("What is written without an encoder")
struct WireTextTests {
    private func isWrittenAlike(_ answer: some WireText) throws -> Bool {
        try Wire.encode(answer) == Wire.encoder().encode(answer)
    }

    @Test("A device with everything, and one with nothing, are written as an encoder writes them")
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

        #expect(try isWrittenAlike(DeviceAnswer(full, room: "Study")))
        let entities = try full.entities.map { try EntityAnswer($0).text }
        #expect(try DeviceAnswer(full, room: "Study").text(entities: entities) == DeviceAnswer(full, room: "Study").text)
        #expect(try DeviceAnswer(full, room: "Study").json["current_state"]?["brightness"] == 62)
        #expect(try DeviceAnswer(full, room: "Study").json["current_state"]?["custom_attributes"]?["firmware"] == "1.2")
        #expect(try isWrittenAlike(DeviceAnswer(empty, room: nil)))
        for entity in full.entities { #expect(try isWrittenAlike(EntityAnswer(entity))) }
    }

    @Test("However deep a device's attributes are nested, nothing of them is left out")
    func deep() throws {
        let nested = (0..<40).reduce(JSONValue.number(7)) { inner, _ in ["in": inner] }
        let said = SaidData(entityID: "sensor.deep", state: "on", attributes: ["deep": nested])
        #expect(try said.json["attributes"]?["deep"] == nested)
    }

    @Test("So are commands that ended and that did not, and what an entity said")
    func others() throws {
        let said: [String: JSONValue] = ["position": 40, "moving": false]
        #expect(
            try isWrittenAlike(
                CommandAnswer(
                    commandID: "cmd_1", deviceID: "garage", entityID: "cover.garage", action: .setPosition, status: .failed,
                    reason: "jammed",
                    newState: EntityState("open", attributes: said), executionTime: 1250)))
        #expect(
            try isWrittenAlike(
                CommandAnswer(
                    commandID: "cmd_2", deviceID: "garage", entityID: "cover.garage", action: .open, status: .dispatching, reason: nil,
                    newState: nil, executionTime: nil)))
        #expect(try isWrittenAlike(SaidData(entityID: "cover.garage", state: "open", attributes: said)))
    }
}
