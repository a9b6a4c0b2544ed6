import CardeaHub
import CardeaModel
import Foundation
import Testing

@testable import CardeaMQTT

/// Announcements and states in the formats of common firmware.
@Suite("Announcements of real firmware")
struct RealDeviceTests {
    /// A broker with its published messages.
    private struct RegistryFixture {
        var roster = DiscoveryRegistry()

        mutating func announce(_ kind: String, _ config: String, object: String = "x") throws {
            roster.apply(
                Array(config.utf8), at: try #require(DiscoveryTopic("homeassistant/\(kind)/\(object)/config", prefix: "homeassistant")))
            _ = roster.collectChanges(at: start)
        }

        mutating func receive(_ topic: String, _ text: String, after seconds: TimeInterval = 0) {
            _ = roster.receive(
                IncomingMessage(topic: topic, payload: Array(text.utf8), at: start.addingTimeInterval(seconds)), isFresh: true)
        }

        func state(_ id: String) throws -> EntityState { try #require(roster[id]).state }

        func commandMessages(_ id: String, _ verb: Verb, _ value: JSONValue? = nil) throws -> [CommandMessage]? {
            let fixture = try #require(roster[id])
            return fixture.entity.mapping.commandMessages(for: verb, value: value, transition: nil, in: fixture.state)
        }
    }

    @Test("A Nuki lock maps three state codes to one and is locked, unlocked and unlatched")
    func nuki() throws {
        var bench = RegistryFixture()
        try bench.announce(
            "lock",
            #"""
            {"~": "nuki/0A1B2C3D", "avty_t": "~/connected", "pl_avail": "true", "pl_not_avail": "false",
            "dev": {"ids": ["0A1B2C3D"], "mf": "Nuki", "name": "Flat door", "mdl": "Smart Lock 3.0 Pro"}, "name": null,
            "uniq_id": "nuki", "cmd_t": "~/lockAction", "pl_lock": "2", "pl_unlk": "1", "pl_open": "3", "stat_t": "~/state",
            "stat_locked": "1", "stat_locking": "4", "stat_unlocked": "3", "stat_unlocking": "2", "stat_jam": "254",
            "val_tpl": "{% if value in (\"5\",\"6\",\"7\") %}3{% else %}{{ value }}{% endif %}"}
            """#)
        bench.receive("nuki/0A1B2C3D/connected", "true")
        var words: [String] = []
        for code in ["1", "3", "5", "254", "4", "2"] {
            bench.receive("nuki/0A1B2C3D/state", code)
            words.append(try bench.state("lock.flat_door").value)
        }
        #expect(words == ["locked", "unlocked", "unlocked", "jammed", "locking", "unlocking"])
        #expect(bench.roster["lock.flat_door"]?.isOnline == true)
        #expect(try bench.commandMessages("lock.flat_door", .open) == [CommandMessage(topic: "nuki/0A1B2C3D/lockAction", payload: "3")])
    }

    @Test("A Z-Wave lock whose node is dead is offline, whatever its gateway reports")
    func deadNode() throws {
        var bench = RegistryFixture()
        try bench.announce(
            "lock",
            #"""
            {"command_topic": "zwave/back/98/0/targetMode/set", "state_topic": "zwave/back/98/0/currentMode", "state_locked": 255,
            "state_unlocked": 0, "payload_lock": 255, "payload_unlock": 0, "value_template": "{{ value_json.value }}",
            "availability": [{"payload_available": "true", "payload_not_available": "false", "topic": "zwave/back/status",
            "value_template": "{{'true' if value_json.value else 'false'}}"},
            {"topic": "zwave/_CLIENTS/gateway/status", "value_template": "{{'online' if value_json.value else 'offline'}}"},
            {"payload_available": "true", "payload_not_available": "false", "topic": "zwave/driver/status"}], "availability_mode": "all",
            "device": {"identifiers": ["zwave_node16"], "name": "Back door"}, "name": null, "unique_id": "zwave"}
            """#)
        bench.receive("zwave/driver/status", "true")
        bench.receive("zwave/_CLIENTS/gateway/status", #"{"value": true, "time": 1763900000000}"#)
        #expect(bench.roster["lock.back_door"]?.isOnline == nil)
        bench.receive("zwave/back/status", #"{"time": 1763900000000, "value": true, "status": "Alive", "nodeId": 16}"#)
        bench.receive("zwave/back/98/0/currentMode", #"{"time": 1763900000000, "value": 255}"#)
        #expect(bench.roster["lock.back_door"]?.isOnline == true)
        #expect(try bench.state("lock.back_door").value == "locked")
        bench.receive("zwave/back/status", #"{"time": 1763900009000, "value": false, "status": "Dead", "nodeId": 16}"#)
        #expect(bench.roster["lock.back_door"]?.isOnline == false)
    }

    @Test("A Z-Wave dimmer's inline-if template gives its state, and its brightness scale is 99")
    func dimmer() throws {
        var bench = RegistryFixture()
        try bench.announce(
            "light",
            #"""
            {"command_topic": "zwave/stairs/set", "state_topic": "zwave/stairs/value",
            "state_value_template": "{{ \"OFF\" if value_json.value == 0 else \"ON\" }}",
            "brightness_command_topic": "zwave/stairs/set", "brightness_scale": 99, "brightness_state_topic": "zwave/stairs/value",
            "brightness_value_template": "{{ value_json.value }}", "on_command_type": "brightness",
            "device": {"identifiers": ["zwave_node7"], "name": "Stairs"}, "name": null, "unique_id": "dimmer"}
            """#)
        bench.receive("zwave/stairs/value", #"{"time": 1763900000000, "value": 50}"#)
        #expect(try bench.state("light.stairs").value == "on")
        #expect(try bench.state("light.stairs").attributes["brightness"] == 50.5)
        bench.receive("zwave/stairs/value", #"{"time": 1763900001000, "value": 0}"#)
        #expect(try bench.state("light.stairs").value == "off")
    }

    @Test("A Bluetooth gateway's sensor keeps its value if a message lacks it")
    func gateway() throws {
        var bench = RegistryFixture()
        try bench.announce(
            "sensor",
            #"""
            {"stat_t": "home/BTtoMQTT/A4C138000004", "dev_cla": "temperature", "unit_of_meas": "°C", "name": "Temperature",
            "uniq_id": "tempc", "val_tpl": "{{ value_json.tempc | is_defined }}", "stat_cla": "measurement",
            "device": {"ids": ["A4C138000004"], "name": "Cellar"}}
            """#)
        var values: [String] = []
        for message in [#"{"tempc": 11.4, "hum": 71}"#, #"{"batt": 88}"#, #"{"tempc": 12}"#] {
            bench.receive("home/BTtoMQTT/A4C138000004", message)
            values.append(try bench.state("sensor.cellar_temperature").value)
        }
        #expect(values == ["11.4", "11.4", "12"])
    }

    @Test("A Zigbee blind reports its movement and is positioned by JSON")
    func blind() throws {
        var bench = RegistryFixture()
        try bench.announce(
            "cover",
            #"""
            {"command_topic": "z2m/Rolläden Süd/set", "device": {"identifiers": ["zigbee_7"], "name": "Blind"}, "name": null,
            "position_template": "{{ value_json.position }}", "position_topic": "z2m/Rolläden Süd",
            "set_position_template": "{ \"position\": {{ position }} }", "set_position_topic": "z2m/Rolläden Süd/set",
            "state_closing": "DOWN", "state_opening": "UP", "state_stopped": "STOP", "state_topic": "z2m/Rolläden Süd",
            "unique_id": "blind", "value_template":
            "{% if \"moving\" in value_json and value_json.moving %} {{ value_json.moving }} {% else %} STOP {% endif %}"}
            """#)
        var states: [String] = []
        for message in [
            #"{"moving": "STOP", "position": 60}"#, #"{"moving": "UP", "position": 61}"#, #"{"position": 80}"#,
            #"{"moving": "DOWN", "position": 40}"#, #"{"moving": "STOP", "position": 0}"#,
        ] {
            bench.receive("z2m/Rolläden Süd", message)
            states.append(try bench.state("cover.blind").value)
        }
        #expect(states == ["open", "opening", "open", "closing", "closed"])
        #expect(
            try bench.commandMessages("cover.blind", .setPosition, 25) == [
                CommandMessage(topic: "z2m/Rolläden Süd/set", payload: #"{ "position": 25 }"#)
            ])
    }

    @Test("A cover's template applies to its state, and its position is a plain number")
    func barePosition() throws {
        var bench = RegistryFixture()
        try bench.announce(
            "cover",
            #"""
            {"~": "shelly", "name": null, "command_topic": "~/command", "position_topic": "~/position", "set_position_topic": "~/position/set",
            "state_topic": "~/state", "unique_id": "shelly", "value_template": "{{ value_json.state }}",
            "device": {"identifiers": ["shelly"], "name": "Office blind"}}
            """#)
        bench.receive("shelly/state", #"{"id": 0, "state": "stopped", "apower": 0.0}"#)
        bench.receive("shelly/position", "45")
        #expect(try bench.state("cover.office_blind").attributes["position"] == 45)
    }

    @Test("A component that moves into a bundle stays the same entity, and nothing remains at its old topic")
    func migration() throws {
        var bench = RegistryFixture()
        let lock =
            #""name": null, "unique_id": "porch", "command_topic": "porch/set", "state_topic": "porch/state""#
        let device = #"{"identifiers": ["porch"], "name": "Porch"}"#
        try bench.announce("lock", "{\(lock), \"device\": \(device)}", object: "node/porch")
        #expect(bench.roster.entityCount == 1)
        try bench.announce("lock", #"{"migrate_discovery": true}"#, object: "node/porch")
        #expect(bench.roster.entityCount == 1)
        try bench.announce(
            "device", "{\"dev\": \(device), \"o\": {\"name\": \"acme\"}, \"cmps\": {\"l\": {\"p\": \"lock\", \(lock)}}}", object: "node")
        try bench.announce("lock", "", object: "node/porch")
        #expect(bench.roster["lock.porch"] != nil && bench.roster.entityCount == 1)
    }

    @Test("A numeric identifier identifies one device")
    func numbers() throws {
        var bench = RegistryFixture()
        for name in ["Wind", "Rain"] {
            try bench.announce(
                "sensor",
                "{\"name\": \"\(name)\", \"unique_id\": \"\(name)\", \"state_topic\": \"mast/\(name)\", \"device\": {\"identifiers\": 20417, \"name\": \"Mast\"}}",
                object: name)
        }
        let devices = ["sensor.mast_wind", "sensor.mast_rain"].map { bench.roster[$0]?.deviceID }
        #expect(devices == ["mast", "mast"])
    }

    @Test("A value expires and is unknown until the next one")
    func expiry() throws {
        var bench = RegistryFixture()
        try bench.announce(
            "sensor",
            #"""
            {"name": null, "uniq_id": "t", "stat_t": "freezer/t", "dev_cla": "temperature", "unit_of_meas": "°C", "exp_aft": 3,
            "dev": {"ids": ["freezer"], "name": "Freezer"}}
            """#)
        bench.receive("freezer/t", "-18.5")
        #expect(bench.roster.expire(at: start.addingTimeInterval(2)).isEmpty)
        #expect(try bench.state("sensor.freezer").value == "-18.5")
        #expect(bench.roster.expire(at: start.addingTimeInterval(3)).map(\.state.value) == ["unknown"])
        #expect(bench.roster.expire(at: start.addingTimeInterval(9)).isEmpty)
        bench.receive("freezer/t", "-17", after: 10)
        #expect(try bench.state("sensor.freezer").value == "-17")
    }

    @Test("A numeric sensor without a reading is unknown")
    func noNumbers() throws {
        var bench = RegistryFixture()
        try bench.announce(
            "sensor",
            #"""
            {"name": null, "uniq_id": "p", "stat_t": "p", "dev_cla": "pressure", "unit_of_meas": "hPa", "dev": {"ids": "n", "name": "Node"}}
            """#)
        var values: [String] = []
        for text in ["nan", "1013.2", "inf", "-nan", "1013", "unavailable"] {
            bench.receive("p", text)
            values.append(try bench.state("sensor.node").value)
        }
        #expect(values == ["unknown", "1013.2", "unknown", "unknown", "1013", "unknown"])
    }

    @Test("An RGBW lamp takes a colour and leaves its white channel off")
    func white() throws {
        var bench = RegistryFixture()
        try bench.announce(
            "light",
            #"""
            {"schema": "json", "name": null, "uniq_id": "l", "cmd_t": "strip/command", "stat_t": "strip/state",
            "supported_color_modes": ["rgbw"], "brightness": true, "dev": {"ids": "strip", "name": "Strip"}}
            """#)
        bench.receive(
            "strip/state", #"{"state": "ON", "color_mode": "rgbw", "brightness": 128, "color": {"r": 255, "g": 0, "b": 0, "w": 0}}"#)
        #expect(try bench.state("light.strip").attributes["brightness"] == 50.2)
        #expect(
            try bench.commandMessages("light.strip", .setColor, ["hue": 120, "saturation": 100])
                == [CommandMessage(topic: "strip/command", payload: #"{"state":"ON","color":{"r":0,"g":255,"b":0,"w":0}}"#)])
    }
}

private let start = Date(timeIntervalSince1970: 1_800_000_000)
