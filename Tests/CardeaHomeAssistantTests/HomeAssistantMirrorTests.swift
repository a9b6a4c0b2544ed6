import CardeaModel
import Testing

@testable import CardeaHomeAssistant

@Suite("Mirror of Home Assistant devices")
struct HomeAssistantMirrorTests {
    private func json(_ text: String) throws -> JSONValue { try #require(JSONValue.read(Array(text.utf8))) }

    private func mirror() throws -> HomeAssistantMirror {
        var household = HomeAssistantMirror()
        household.isComplete = true
        household.read(
            areas: try json(#"[{"area_id": "living_room", "name": "Living\u0007 Room"}, {"area_id": "attic", "name": ""}]"#),
            devices: try json(
                #"""
                [{"id": "d1", "name": "Lamp", "name_by_user": "Reading lamp", "area_id": "living_room", "manufacturer": "Acme", "model": null,
                  "identifiers": [["demo", "x"]], "disabled_by": null},
                 {"id": "d2", "name": "Reading lamp", "area_id": null, "identifiers": [], "disabled_by": null},
                 {"id": "d3", "name": "Disabled", "identifiers": [], "disabled_by": "user"},
                 {"id": "d4", "name": "Front door", "identifiers": [["mqtt", "cardea_front_door"]], "disabled_by": null}]
                """#),
            entities: try json(
                #"""
                [{"entity_id": "light.one", "id": "e1", "device_id": "d1", "unique_id": "1", "name": null, "original_name": "Bulb",
                  "icon": "mdi:lamp"},
                 {"entity_id": "sensor.power", "id": "e2", "device_id": "d1", "unique_id": "2", "original_name": "Power"},
                 {"entity_id": "light.two", "id": "e3", "device_id": "d2", "unique_id": "3"},
                 {"entity_id": "switch.gone", "id": "e4", "device_id": "d1", "unique_id": "4", "hidden_by": "user"},
                 {"entity_id": "switch.off", "id": "e5", "device_id": "d1", "unique_id": "5", "disabled_by": "integration"},
                 {"entity_id": "switch.disabled", "id": "e6", "device_id": "d3", "unique_id": "6"},
                 {"entity_id": "lock.ours", "id": "e7", "device_id": "d4", "unique_id": "7"},
                 {"entity_id": "sensor.passes", "id": "e8", "device_id": null, "unique_id": "cardea_passes"},
                 {"entity_id": "lock.coded", "id": "e9", "device_id": null, "unique_id": "9", "area_id": "attic",
                  "options": {"lock": {"default_code": "1234"}}}]
                """#))
        let states = [
            "light.one", "sensor.power", "light.two", "switch.gone", "switch.off", "switch.disabled", "lock.ours", "sensor.passes",
        ].map { #"{"entity_id": "\#($0)", "state": "on", "attributes": {"friendly_name": "Friendly"}}"# }
        let more = [
            #"{"entity_id": "lock.front_door", "state": "locked", "attributes": {"friendly_name": "Front Door"}}"#,
            #"{"entity_id": "lock.coded", "state": "locked", "attributes": {"friendly_name": "Cellar", "code_format": "x"}}"#,
            #"{"entity_id": "person.ann", "state": "home", "attributes": {}}"#, "17",
        ]
        household.read(states: try json("[" + (states + more).joined(separator: ",") + "]"))
        return household
    }

    @Test("Devices have their entities, rooms and names; hidden, disabled and the hub's own ones are omitted")
    func arranged() throws {
        let household = try mirror()
        var names = DeviceIDAllocator()
        var rooms = DeviceIDAllocator()

        let arranged = household.arrangedDevices(with: &names, rooms: &rooms)

        #expect(household.rooms(with: &rooms) == [Room(id: "living-room", name: "Living Room"), Room(id: "attic", name: "Room")])
        #expect(arranged.map(\.name) == ["Reading lamp", "Reading lamp", "Cellar", "Front Door"])
        #expect(
            arranged.map { $0.entities.map(\.id) } == [["light.one", "sensor.power"], ["light.two"], ["lock.coded"], ["lock.front_door"]])
        #expect(arranged.first?.entities.map(\.name) == ["Bulb", "Power"])
        #expect(arranged.map { $0.entities.map(\.uniqueID) } == [["1", "2"], ["3"], ["9"], [nil]])
        #expect(arranged.first?.entities.map(\.icon) == ["mdi:lamp", nil])
        #expect(arranged.map(\.roomID) == ["living-room", nil, "attic", nil])
        #expect(arranged.map(\.deviceClass) == [.light, .light, .security, .security])
        #expect(arranged.first?.manufacturer == "Acme")
        #expect(arranged[2].entities.first?.verbs == [.lock, .unlock], "Home Assistant keeps the code")
    }

    @Test("A device reached through another names it if that one is mirrored too")
    func reachedThrough() throws {
        var household = try mirror()
        var (names, rooms) = (DeviceIDAllocator(), DeviceIDAllocator())
        var roster = AnnouncementTracker()
        let devices =
            #"""
            [{"id": "d1", "name": "Lamp", "identifiers": [], "via_device_id": "d2"},
             {"id": "d2", "name": "Bridge", "identifiers": [], "via_device_id": "d2"},
             {"id": "d5", "name": "Plug", "identifiers": [], "via_device_id": "d6"},
             {"id": "d6", "name": "Stick", "identifiers": [], "via_device_id": 7}]
            """#
        let entities =
            #"""
            [{"entity_id": "light.one", "id": "e1", "device_id": "d1"}, {"entity_id": "light.two", "id": "e3", "device_id": "d2"},
             {"entity_id": "switch.gone", "id": "e4", "device_id": "d5"}]
            """#
        household.read(areas: [], devices: try json(devices), entities: try json(entities))

        let arranged = household.arrangedDevices(with: &names, rooms: &rooms)
        for device in arranged { roster.recordAnnounced(device) }
        household.handleRemoval("light.two")
        let early = roster.changes(to: household.arrangedDevices(with: &names, rooms: &rooms), isComplete: false)

        #expect(arranged.first { $0.id == "lamp" }?.hubID == "bridge")
        for alone in ["bridge", "plug"] { #expect(try #require(arranged.first { $0.id == alone }).hubID == nil) }
        #expect(early.announced.isEmpty, "while Home Assistant starts, the bridge is not gone")
    }

    @Test("Two devices of one name get different ids, the same in every run, and ids are permanent")
    func ids() throws {
        let household = try mirror()
        var (first, second, rooms) = (DeviceIDAllocator(), DeviceIDAllocator(reserved: ["front-door"]), DeviceIDAllocator())

        let ids = household.arrangedDevices(with: &first, rooms: &rooms).map(\.id)
        let others = household.arrangedDevices(with: &second, rooms: &rooms).map(\.id)
        var remembering = DeviceIDAllocator(remembered: ["entity:lock.front_door": "old-door"])
        let remembered = household.arrangedDevices(with: &remembering, rooms: &rooms).map(\.id)

        #expect(ids == ["reading-lamp", "reading-lamp-\(Slug.fingerprint("d2"))", "cellar", "front-door"])
        #expect(others.last == "front-door-\(Slug.fingerprint("entity:lock.front_door"))")
        #expect(remembered.last == "old-door")
        first.release(away: "front-door")
        #expect(household.arrangedDevices(with: &first, rooms: &rooms).last?.id == others.last)
    }

    @Test("A recreated device keeps its id for existing passes; a namesake does not get it")
    func madeAnew() throws {
        var household = try mirror()
        var (names, rooms) = (DeviceIDAllocator(), DeviceIDAllocator())
        var roster = AnnouncementTracker()
        for device in household.arrangedDevices(with: &names, rooms: &rooms) { roster.recordAnnounced(device) }

        let devices = #"[{"id": "d9", "name": "Lamp", "identifiers": []}, {"id": "d2", "name": "Reading lamp", "identifiers": []}]"#
        let entities =
            #"""
            [{"entity_id": "light.one", "id": "e10", "device_id": "d9", "unique_id": "1"},
             {"entity_id": "light.two", "id": "e3", "device_id": "d2", "unique_id": "3"}]
            """#
        household.read(areas: [], devices: try json(devices), entities: try json(entities))
        let arranged = household.arrangedDevices(with: &names, rooms: &rooms, owners: roster.owners)

        #expect(arranged.first?.id == "reading-lamp" && arranged.first?.entities.map(\.id) == ["light.one"])
        #expect(arranged.dropFirst().first?.id == "reading-lamp-\(Slug.fingerprint("d2"))")
        #expect(Set(arranged.map(\.id)).count == arranged.count)
    }

    @Test("An unavailable entity keeps its description, and its state is unknown")
    func away() throws {
        var household = try mirror()

        let away = try #require(StateReport(["entity_id": "lock.front_door", "state": "unavailable", "attributes": [:]]))
        let dimmable = try #require(
            StateReport(["entity_id": "light.one", "state": "on", "attributes": ["supported_color_modes": ["brightness"]]]))
        let isNew = household.apply(away)
        let isOther = household.apply(dimmable)

        #expect(!isNew && household.isAway("lock.front_door"))
        #expect(household.state(of: "lock.front_door") == EntityState())
        #expect(isOther)
    }

    @Test("An entity with an assumed state is assumed")
    func assumed() throws {
        var household = try mirror()
        let said = try #require(StateReport(["entity_id": "lock.front_door", "state": "locked", "attributes": ["assumed_state": true]]))
        let isOther = household.apply(said)
        var (names, rooms) = (DeviceIDAllocator(), DeviceIDAllocator())
        let entities = household.arrangedDevices(with: &names, rooms: &rooms).flatMap(\.entities)
        #expect(isOther && entities.filter(\.isAssumed).map(\.id) == ["lock.front_door"])
    }

    @Test("During Home Assistant's start nothing is removed; afterwards missing devices are removed")
    func starting() throws {
        let whole = try mirror()
        var (names, rooms) = (DeviceIDAllocator(), DeviceIDAllocator())
        var roster = AnnouncementTracker()
        for device in roster.changes(to: whole.arrangedDevices(with: &names, rooms: &rooms), isComplete: true).announced {
            roster.recordAnnounced(device)
        }
        var half = whole
        for id in ["lock.front_door", "sensor.power"] { half.handleRemoval(id) }

        let early = roster.changes(to: half.arrangedDevices(with: &names, rooms: &rooms), isComplete: false)
        let late = roster.changes(to: half.arrangedDevices(with: &names, rooms: &rooms), isComplete: true)

        #expect(early.announced.isEmpty && early.withdrawn.isEmpty)
        #expect(late.announced.map(\.id) == ["reading-lamp"])
        #expect(late.withdrawn == ["front-door"])
        #expect(roster.changes(to: whole.arrangedDevices(with: &names, rooms: &rooms), isComplete: true).announced.isEmpty)
    }

    @Test("A device is present with its first entity, and only changes are reported")
    func statuses() throws {
        let whole = try mirror()
        var (names, rooms) = (DeviceIDAllocator(), DeviceIDAllocator())
        var roster = AnnouncementTracker()
        for device in whole.arrangedDevices(with: &names, rooms: &rooms) { roster.recordAnnounced(device) }

        #expect(
            roster.changedStatuses(isConnected: true) { $0 == "light.one" || $0 == "light.two" }[.online] == [
                "cellar", "front-door", "reading-lamp",
            ])
        #expect(roster.changedStatuses(isConnected: true) { $0 == "light.one" || $0 == "light.two" }.isEmpty)
        #expect(roster.changedStatuses(isConnected: false) { _ in false }[.unknown]?.count == 4)
    }
}

@Suite("Home Assistant address")
struct HomeAssistantAddressTests {
    @Test(
        "Common address notations are parsed",
        arguments: [
            ("http://homeassistant.local:8123", "http://homeassistant.local:8123"), (" ws://ha:8123/ ", "http://ha:8123"),
            ("HTTPS://ha.example.org", "https://ha.example.org:443"), ("wss://[::1]:8123", "https://[::1]:8123"),
            ("http://10.0.0.2", "http://10.0.0.2:80"),
        ])
    func read(text: String, shown: String) throws {
        #expect(try HomeAssistantAddress(text).description == shown)
    }

    @Test(
        "An unusable address is refused with its own error",
        arguments: [
            ("ftp://ha", HomeAssistantAddress.AddressError.scheme), ("http://ann:secret@ha", .credentials), ("http://ann@ha", .credentials),
            ("http://ha/lovelace", .path), ("http://ha/?x=1", .path), ("http://ha/#x", .path), ("http://", .notAnAddress),
            ("", .notAnAddress),
            ("http://ha:0", .notAnAddress), ("http://ha:99999", .notAnAddress), ("homeassistant.local:8123", .scheme),
            ("http://h a", .notAnAddress),
        ])
    func refused(text: String, problem: HomeAssistantAddress.AddressError) {
        #expect(throws: problem) { try HomeAssistantAddress(text) }
    }
}
