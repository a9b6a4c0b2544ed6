import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("States and commands of entities")
struct EntityMappingTests {
    private func entity(_ kind: String, _ config: String) throws -> AnnouncedEntity {
        let topic = try #require(DiscoveryTopic("homeassistant/\(kind)/x/config", prefix: "homeassistant"))
        return try #require(try DiscoveryParser.read(Array(config.utf8), at: topic).entities.first)
    }

    /// The state after each message, in order.
    private func states(_ entity: AnnouncedEntity, _ messages: [(String, String)]) -> [EntityState?] {
        var state = EntityState()
        return messages.map { topic, text in
            let next = entity.mapping.state(state, after: IncomingMessage(topic: topic, payload: Array(text.utf8)))
            if let next { state = next }
            return next
        }
    }

    private func commandMessages(_ entity: AnnouncedEntity, _ verb: Verb, _ value: JSONValue? = nil, transition: Double? = nil)
        -> [CommandMessage]?
    {
        entity.mapping.commandMessages(for: verb, value: value, transition: transition, in: EntityState())
    }

    @Test("A lock maps every state payload, also custom ones")
    func lock() throws {
        let plain = try entity("lock", #"{"cmd_t": "c", "stat_t": "s"}"#)
        let own = try entity(
            "lock",
            #"""
            {"cmd_t": "c", "stat_t": "s", "val_tpl": "{{ value_json.lock }}", "stat_locked": "zu",
            "stat_unlocked": "auf", "pl_unlk": "AUF"}
            """#)

        let words = ["LOCKED", "LOCKING", "UNLOCKED", "UNLOCKING", "JAMMED", "OPEN", "None", "locked"]
        #expect(
            states(plain, words.map { ("s", $0) }).map { $0?.value }
                == ["locked", "locking", "unlocked", "unlocking", "jammed", "open", "unknown", nil])
        #expect(states(plain, [("elsewhere", "LOCKED")]) == [nil])
        // Plain text where JSON is expected is read as it is, as in Home Assistant.
        #expect(states(own, [("s", #"{"lock": "auf"}"#), ("s", "zu")]).map { $0?.value } == ["unlocked", "locked"])
        #expect(states(own, [("s", "offen")]) == [nil])
        #expect(commandMessages(own, .unlock) == [CommandMessage(topic: "c", payload: "AUF")])
        #expect(commandMessages(own, .open) == nil)
    }

    @Test("A cover with inverted positions is reported and commanded correctly")
    func cover() throws {
        let cover = try entity(
            "cover", #"{"cmd_t": "c", "stat_t": "s", "pos_t": "p", "set_pos_t": "sp", "pos_open": 0, "pos_clsd": 255}"#)
        let states = states(cover, [("p", "255"), ("s", "closing"), ("s", "stopped"), ("p", "0"), ("s", "stopped"), ("s", "open")])

        #expect(states.map { $0?.value } == ["unknown", "closing", "closed", "closed", "open", "open"])
        #expect(states.map { $0?.attributes["position"] } == [0, 0, 0, 100, 100, 100])
        #expect(commandMessages(cover, .setPosition, 20) == [CommandMessage(topic: "sp", payload: "204")])
        #expect(commandMessages(cover, .close) == [CommandMessage(topic: "c", payload: "CLOSE")])
        #expect(!cover.mapping.reports(.setTilt))
    }

    @Test("A light with separate topics is dimmed and coloured in the hub's units")
    func light() throws {
        let light = try entity(
            "light",
            #"""
            {"cmd_t": "c", "stat_t": "s", "bri_cmd_t": "bc", "bri_stat_t": "bs", "bri_scl": 200, "clr_temp_cmd_t": "tc",
            "clr_temp_stat_t": "ts", "rgb_cmd_t": "rc", "rgb_stat_t": "rs"}
            """#)
        let states = states(light, [("s", "ON"), ("bs", "100"), ("ts", "250"), ("rs", "255,0,0"), ("rs", "x"), ("s", "OFF")])

        #expect(states.map { $0?.value } == ["on", "on", "on", "on", nil, "off"])
        #expect(states[1]?.attributes["brightness"] == 50)
        #expect(states[2]?.attributes["color"] == ["temperature": 4000])
        #expect(states[3]?.attributes["color"] == ["hue": 0, "saturation": 100])
        #expect(
            commandMessages(light, .setBrightness, 25) == [
                CommandMessage(topic: "bc", payload: "50"), CommandMessage(topic: "c", payload: "ON"),
            ])
        #expect(commandMessages(light, .setBrightness, 0) == [CommandMessage(topic: "c", payload: "OFF")])
        #expect(commandMessages(light, .setColor, ["temperature": 2000])?.first == CommandMessage(topic: "tc", payload: "500"))
        #expect(
            commandMessages(light, .setColor, ["hue": 120, "saturation": 100])?.first == CommandMessage(topic: "rc", payload: "0,255,0"))
        #expect(light.mapping.reports(.setBrightness))
    }

    @Test("A JSON light gets all values in one message")
    func jsonLight() throws {
        let light = try entity(
            "light", #"{"schema": "json", "cmd_t": "c", "stat_t": "s", "brightness": true, "sup_clrm": ["xy", "color_temp"]}"#)
        let states = states(
            light,
            [
                ("s", #"{"state": "ON", "brightness": 51, "color_mode": "color_temp", "color_temp": 400, "color": {"x": 0.3, "y": 0.3}}"#),
                ("s", #"{"state": "ON", "color_mode": "xy", "color": {"x": 0.64, "y": 0.33}}"#), ("s", "OFF"),
            ])

        #expect(
            states[0]
                == EntityState(
                    "on",
                    attributes: [
                        "brightness": 20, "color": ["temperature": 2500], "supported_color_modes": ["hs", "color_temp"],
                    ]))
        #expect(states[1]?.attributes["color"] == ["hue": 13, "saturation": 81.6])
        #expect(states[2] == nil)
        #expect(commandMessages(light, .on, transition: 1.5) == [CommandMessage(topic: "c", payload: #"{"state":"ON","transition":1.5}"#)])
        #expect(commandMessages(light, .setBrightness, 20) == [CommandMessage(topic: "c", payload: #"{"state":"ON","brightness":51}"#)])
        #expect(
            commandMessages(light, .setColor, ["temperature": 2500]) == [
                CommandMessage(topic: "c", payload: #"{"state":"ON","color_temp":400}"#)
            ])
        #expect(
            commandMessages(light, .setColor, ["hue": 0, "saturation": 100])
                == [CommandMessage(topic: "c", payload: #"{"state":"ON","color":{"x":0.701,"y":0.299}}"#)])
    }

    @Test("A light reports its white range in mireds or kelvin in either schema")
    func whites() throws {
        func bounds(_ members: String) throws -> [JSONValue?] {
            try [
                #"{"cmd_t": "c", "stat_t": "s", "clr_temp_cmd_t": "t", \#(members)}"#,
                #"{"schema": "json", "cmd_t": "c", "stat_t": "s", "sup_clrm": ["color_temp"], \#(members)}"#,
            ].flatMap { announcement -> [JSONValue?] in
                let light = try entity("light", announcement)
                let word = announcement.contains("schema") ? #"{"state": "ON"}"# : "ON"
                let heard: EntityState? = states(light, [("s", word)]).first ?? nil
                return [heard?.attributes["min_color_temp_kelvin"], heard?.attributes["max_color_temp_kelvin"]]
            }
        }

        #expect(try bounds(#""min_mirs": 250, "max_mirs": 454"#) == [2202, 4000, 2202, 4000])
        #expect(try bounds(#""min_k": 2200, "max_k": 6500"#) == [2200, 6500, 2200, 6500])
        // Mireds take precedence over kelvin, as in Home Assistant; missing limits are unknown.
        #expect(try bounds(#""max_mirs": 500, "min_k": 2700, "max_k": 6500"#) == [2000, 6500, 2000, 6500])
        #expect(try bounds(#""max_k": "6500""#) == [nil, 6500, nil, 6500])
        #expect(try bounds(#""min_mirs": 500, "max_mirs": 250"#) == [nil, nil, nil, nil])
        #expect(try bounds(#""min_mirs": 0, "max_mirs": -1, "max_k": []"#) == [nil, nil, nil, nil])
    }

    @Test("A fan with three speeds is commanded and reported in percent")
    func fan() throws {
        let fan = try entity(
            "fan", #"{"cmd_t": "c", "stat_t": "s", "pct_cmd_t": "pc", "pct_stat_t": "ps", "spd_rng_min": 1, "spd_rng_max": 3}"#)

        #expect(commandMessages(fan, .setPercentage, 34) == [CommandMessage(topic: "pc", payload: "2")])
        #expect(commandMessages(fan, .setPercentage, 100) == [CommandMessage(topic: "pc", payload: "3")])
        #expect(commandMessages(fan, .setPercentage, 0) == [CommandMessage(topic: "pc", payload: "0")])
        #expect(states(fan, [("ps", "1"), ("s", "ON")]).map { $0?.attributes["percentage"] } == [33, 33])
    }

    @Test("A Fahrenheit thermostat is commanded in Fahrenheit and reported in Celsius")
    func climate() throws {
        let climate = try entity(
            "climate",
            #"""
            {"mode_cmd_t": "mc", "mode_stat_t": "ms", "modes": ["off", "heat", "cool"], "temp_cmd_t": "tc",
            "temp_stat_t": "ts", "curr_temp_t": "ct", "temp_unit": "F", "min_temp": 45, "max_temp": 90}
            """#)
        let states = states(climate, [("ms", "heat"), ("ts", "68"), ("ct", "50"), ("ms", "dance")])

        #expect(states.map { $0?.value } == ["heat", "heat", "heat", nil])
        #expect(
            states[2]?.attributes == ["target_temperature": 20, "current_temperature": 10, "hvac_modes": ["off", "heat", "cool"]])
        #expect(commandMessages(climate, .setTemperature, 21) == [CommandMessage(topic: "tc", payload: "69.80000000000001")])
        #expect(commandMessages(climate, .setTemperature, 80) == nil)
        #expect(commandMessages(climate, .on) == [CommandMessage(topic: "mc", payload: "heat")])
        #expect(commandMessages(climate, .off) == [CommandMessage(topic: "mc", payload: "off")])
        #expect(commandMessages(climate, .setMode, "cool") == [CommandMessage(topic: "mc", payload: "cool")])
        #expect(commandMessages(climate, .setMode, "dry") == nil)
    }

    @Test("Sensor values are reported in the hub's units")
    func sensors() throws {
        let warm = try entity("sensor", #"{"stat_t": "s", "dev_cla": "temperature", "unit_of_meas": "°F"}"#)
        let power = try entity("sensor", #"{"stat_t": "s", "dev_cla": "power", "unit_of_meas": "kW", "val_tpl": "{{ value_json.p }}"}"#)
        let door = try entity("binary_sensor", #"{"stat_t": "s", "pl_on": true, "pl_off": false, "val_tpl": "{{ value_json.open }}"}"#)

        #expect(states(warm, [("s", "212"), ("s", "warm")]).map { $0?.value } == ["100", nil])
        #expect(warm.unit == "°C")
        #expect(states(power, [("s", #"{"p": 1.25}"#)]).map { $0?.value } == ["1250"])
        #expect(states(door, [("s", #"{"open": true}"#), ("s", #"{"open": false}"#)]).map { $0?.value } == ["on", "off"])
    }

    @Test("A button is pressed and reports no state")
    func button() throws {
        let button = try entity("button", #"{"cmd_t": "c", "dev_cla": "gate"}"#)

        #expect(commandMessages(button, .press) == [CommandMessage(topic: "c", payload: "PRESS")])
        #expect(!button.mapping.reports(.press))
    }
}

@Suite("Device availability")
struct AvailabilityTests {
    private func availability(_ mode: Availability.Mode, _ topics: String...) -> Availability {
        Availability(sources: topics.map { .init(stateTopic: StateTopic(topic: $0)) }, mode: mode)
    }

    private func after(_ messages: [(String, String)], _ availability: Availability) -> Bool? {
        var availability = availability
        for (topic, word) in messages { availability.receive(IncomingMessage(topic: topic, payload: Array(word.utf8))) }
        return availability.isOnline
    }

    @Test("Availability mode `all`, `any` and `latest` are applied")
    func modes() {
        let both = [("a", "online"), ("b", "offline")]

        #expect(after(both, availability(.all, "a", "b")) == false)
        #expect(after([("a", "online")], availability(.all, "a", "b")) == nil)
        #expect(after([("a", "online"), ("b", "online")], availability(.all, "a", "b")) == true)
        #expect(after(both, availability(.any, "a", "b")) == true)
        #expect(after([("a", "offline")], availability(.any, "a", "b")) == nil)
        #expect(after(both, availability(.latest, "a", "b")) == false)
        #expect(after(both.reversed(), availability(.latest, "a", "b")) == true)
        #expect(after([("a", "maybe"), ("c", "online")], availability(.latest, "a")) == nil)
    }

    @Test("Custom availability payloads are applied")
    func words() throws {
        let topic = try #require(DiscoveryTopic("homeassistant/lock/x/config", prefix: "homeassistant"))
        let config = """
            {"avty": {"t": "a", "val_tpl": "{{ value_json.state }}", "pl_avail": "da", "pl_not_avail": "weg"}, "avty_mode": "all"}
            """
        let entity = try #require(try DiscoveryParser.read(Array(config.utf8), at: topic).entities.first)

        #expect(after([("a", #"{"state": "da"}"#)], entity.availability) == true)
        #expect(after([("a", #"{"state": "weg"}"#)], entity.availability) == false)
        // Plain text where JSON is expected is read as it is, as in Home Assistant.
        #expect(after([("a", "weg")], entity.availability) == false)
        #expect(after([("a", "online")], entity.availability) == nil)
    }
}

@Suite("Reconnection delay")
struct BackoffTests {
    @Test("The delay grows from half a second to thirty with full jitter and is reset after a success")
    func growth() {
        var backoff = Backoff()
        let longest = (0..<9).map { _ in backoff.next(random: 1) }

        #expect(longest == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        #expect(backoff.next(random: 0) == .zero)
        #expect(backoff.next(random: 0.5) == .seconds(15))

        backoff.reset()
        #expect(backoff.next(random: 1) == .milliseconds(500))
    }

    @Test("The delay is still thirty seconds after ten thousand failures")
    func long() {
        var backoff = Backoff()
        for _ in 0..<10_000 { _ = backoff.next(random: 1) }

        #expect(backoff.bound == .seconds(30))
    }
}

@Suite("Broker settings")
struct MQTTSettingsTests {
    @Test("Secrets are never printed")
    func secrets() {
        let settings = MQTTSettings(
            host: "broker", certPEM: "CERT-TEXT", keyPEM: "KEY-TEXT", username: "ann", password: "hunter2")
        var dumped = ""
        dump(settings, to: &dumped)
        let printed = ["\(settings)", String(reflecting: settings), "\([settings])", "\(Optional(settings) as Any)", dumped].joined()

        for secret in ["hunter2", "KEY-TEXT", "CERT-TEXT", "ann"] { #expect(!printed.contains(secret)) }
        #expect("\(settings)" == "mqtts://broker:8883")
    }

    @Test("Invalid settings are reported before a connection is tried")
    func problems() {
        #expect(MQTTSettings(host: "h").problem == nil)
        #expect(MQTTSettings(host: "").problem != nil)
        #expect(MQTTSettings(host: "h", port: 0).problem != nil)
        #expect(MQTTSettings(host: "h", certPEM: "x").problem != nil)
        #expect(MQTTSettings(host: "h", tls: false, caPEM: "x").problem != nil)
        #expect(MQTTSettings(host: "h", password: "x").problem != nil)
        #expect(MQTTSettings(host: "h", discoveryPrefix: "a/#").problem != nil)
        #expect(MQTTSettings(host: "h\u{0}").problem != nil)
        #expect(MQTTSettings(host: "h", clientID: "").problem != nil)
        #expect(MQTTSettings(host: "h", clientID: "a\u{1}").problem != nil)
        #expect(MQTTSettings(host: "h", clientID: "hall hub #1").problem == nil)
    }

    @Test(
        "Extra slashes and spaces around a prefix are removed",
        arguments: [
            ("homeassistant", "homeassistant"), ("homeassistant/", "homeassistant"), ("/homeassistant", "homeassistant"),
            ("//homeassistant//", "homeassistant"), (" /homeassistant/ ", "homeassistant"), ("/home/assistant/", "home/assistant"),
            ("home assistant", "home assistant"),
        ])
    func prefixes(typed: String, read: String) {
        let settings = MQTTSettings(host: "h", discoveryPrefix: typed, frigatePrefix: "frigate//")

        #expect(settings.discoveryPrefix == read && settings.frigatePrefix == "frigate" && settings.problem == nil)
        #expect(MQTTSettings(host: "h", frigatePrefix: "/frigate/").frigatePrefix == "/frigate", "Frigate publishes there")
    }

    @Test("A prefix of slashes alone is refused", arguments: ["/", "", " ", "//"])
    func noPrefix(typed: String) {
        #expect(MQTTSettings(host: "h", discoveryPrefix: typed).problem != nil)
        #expect(MQTTSettings(host: "h", frigatePrefix: typed).problem != nil)
    }

    @Test("A client id that the library rejects closes no other socket")
    func clientIDs() async {
        // Schemathesis set up a broker with an empty one: the library closed descriptor 0, once that was a client's socket, and the hub
        // crashed.
        let before = fcntl(0, F_GETFD)
        for id in ["", "\u{1}"] {
            await #expect(throws: MQTTConnectionError.invalid("the client id cannot be sent")) {
                _ = try await MosquittoConnection.open(ConnectionOptions(host: "127.0.0.1", port: 1, clientID: id))
            }
        }
        #expect(before >= 0 && fcntl(0, F_GETFD) == before)
    }
}
