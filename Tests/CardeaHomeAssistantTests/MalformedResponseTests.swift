import CardeaModel
import Testing

@testable import CardeaHomeAssistant

@Suite("Malformed Home Assistant responses")
struct MalformedResponseTests {
    private func json(_ text: String) throws -> JSONValue { try #require(JSONValue.read(Array(text.utf8))) }

    private func state(_ text: String) throws -> EntityState {
        let said = try #require(StateReport(try json(text)))
        return said.kind.mapping(said, isFahrenheit: true).state
    }

    @Test(
        "A device has its user's name, else its own; an empty name counts as none",
        arguments: [
            (#""name": "Speaker", "name_by_user": """#, "Speaker"), (#""name": "Speaker", "name_by_user": "  ""#, "Speaker"),
            (#""name": "Speaker", "name_by_user": null"#, "Speaker"), (#""name": "Speaker", "name_by_user": "Kitchen""#, "Kitchen"),
            (#""name": "Speaker", "name_by_user": 7"#, "Speaker"), (#""name": "", "name_by_user": null"#, "Device"),
        ])
    func names(members: String, name: String) throws {
        let device = try #require(DeviceRegistryEntry(try json(#"{"id": "d1", \#(members)}"#)))

        #expect(device.name == name)
    }

    @Test("An entity without a name has its original name, else its device's")
    func entityNames() throws {
        let entry = try json(#"{"entity_id": "lock.a", "id": "e1", "name": "", "original_name": "Latch"}"#)
        #expect(EntityRegistryEntry(entry)?.name == "Latch")
        let other = try json(#"{"entity_id": "lock.a", "id": "e1", "name": "", "original_name": null}"#)
        #expect(EntityRegistryEntry(other)?.name == nil)
    }

    @Test(
        "An entry is identified by its id, else by integration and unique id, which may be a number",
        arguments: [
            (#""id": "e1", "unique_id": "u", "platform": "zha""#, "e1", "unique:lock/zha/u"),
            (#""unique_id": "u", "platform": "zha""#, "unique:lock/zha/u", "unique:lock/zha/u"),
            (#""id": null, "unique_id": 42, "platform": null"#, "unique:lock//42", "unique:lock//42"), (#""id": """#, "lock.a", nil),
        ] as [(String, String, String?)])
    func identities(members: String, id: String, origin: String?) throws {
        let entry = try #require(EntityRegistryEntry(try json(#"{"entity_id": "lock.a", \#(members)}"#)))

        #expect(entry.id == id && entry.origin == origin)
    }

    @Test("Null lists and members of the wrong type leave the rest readable")
    func nulls() throws {
        var household = HomeAssistantMirror()
        household.isComplete = true
        household.read(
            areas: .null,
            devices: try json(#"[null, 7, {"id": null}, {"id": ""}, {"id": "d1", "name": "Door", "identifiers": null, "area_id": 7}]"#),
            entities: try json(
                #"[null, {"entity_id": null}, {"entity_id": 7}, {"entity_id": "lock"}, {"entity_id": "lock.a", "device_id": "d1", "options": null}]"#
            ))
        household.read(
            states: try json(
                #"[null, {"entity_id": "lock.b"}, {"entity_id": "lock.a", "state": "locked", "attributes": null}, {"entity_id": "light.a", "state": "on", "attributes": {"supported_color_modes": null, "hs_color": null}}]"#
            ))
        var (names, rooms) = (DeviceIDAllocator(), DeviceIDAllocator())

        let arranged = household.arrangedDevices(with: &names, rooms: &rooms)

        #expect(arranged.map { $0.entities.map(\.id) } == [["lock.a"], ["light.a"]])
        #expect(arranged.first?.name == "Door" && household.state(of: "lock.a")?.value == "locked")
    }

    @Test(
        "A number out of range is not reported",
        arguments: [
            (#"{"entity_id": "cover.a", "state": "open", "attributes": {"current_position": 101, "current_tilt_position": -1}}"#, [:]),
            (
                #"{"entity_id": "cover.a", "state": "open", "attributes": {"current_position": 100, "current_tilt_position": 0}}"#,
                ["position": 100, "tilt": 0]
            ),
            (#"{"entity_id": "fan.a", "state": "on", "attributes": {"percentage": 1e12}}"#, [:]),
            (#"{"entity_id": "climate.a", "state": "heat", "attributes": {"temperature": 1e308, "current_temperature": -1e300}}"#, [:]),
            (
                #"{"entity_id": "light.a", "state": "on", "attributes": {"supported_color_modes": ["hs"], "hs_color": [361, 50]}}"#,
                ["supported_color_modes": ["hs"]]
            ),
            (
                #"{"entity_id": "light.a", "state": "on", "attributes": {"supported_color_modes": ["color_temp"], "color_mode": "color_temp", "color_temp_kelvin": 0}}"#,
                ["supported_color_modes": ["color_temp"]]
            ),
        ] as [(String, [String: JSONValue])])
    func ranges(text: String, attributes: [String: JSONValue]) throws {
        let state = try state(text)

        #expect(state.attributes == attributes)
    }

    @Test(
        "A sensor without a number is unknown", arguments: ["", "None", "nan", "NaN", "inf", "-inf", "Infinity", "unknown", "unavailable"])
    func sensors(value: String) throws {
        for unit in ["", #""unit_of_measurement": "W""#, #""unit_of_measurement": "°F", "device_class": "temperature""#] {
            let state = try state(#"{"entity_id": "sensor.a", "state": "\#(value)", "attributes": {\#(unit)}}"#)
            #expect(state.value == "unknown")
        }
    }

    @Test("Megabytes of attributes are reduced to the used ones, and every text is bounded")
    func bounded() throws {
        let long = String(repeating: "y", count: 1_000_000)
        let attributes: [String: JSONValue] = [
            "entity_picture": .string(long), "forecast": .array(Array(repeating: .string(long), count: 3)), "friendly_name": .string(long),
            "hvac_modes": .array([.string(long), "heat"] + Array(repeating: "off", count: 1000)),
            "device_class": .object(["x": .string(long)]),
            "temperature": 20, EntityRegistryEntry.keepsCode: true,
        ]
        let said = try #require(StateReport(["entity_id": "climate.a", "state": .string(long), "attributes": .object(attributes)]))

        #expect(said.attributes.keys.sorted() == ["friendly_name", "hvac_modes", "temperature"])
        #expect(said.text("friendly_name")?.count == StateReport.textLimit && said.texts("hvac_modes") == ["heat", "off"])
        #expect(said.value.count == 255)
    }
}
