import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Parsing of discovery announcements")
struct DiscoveryParserTests {
    private func read(_ text: String, at topic: String = "homeassistant/lock/x/config") throws -> [AnnouncedEntity] {
        let topic = try #require(DiscoveryTopic(topic, prefix: "homeassistant"))
        return try DiscoveryParser.read(Array(text.utf8), at: topic).entities
    }

    @Test("Abbreviated and full keys announce the same lock")
    func abbreviations() throws {
        let short = try #require(try read(AnnouncedLock.config).first)
        let long = try #require(
            try read(
                """
                {"unique_id": "lock-7", "command_topic": "home/back_door/set", "state_topic": "home/back_door/state",
                "availability_topic": "home/back_door/available",
                "device": {"identifiers": "lock-7", "name": "Back Door", "manufacturer": "Acme", "model": "L1"}}
                """
            ).first)

        #expect(short.key == long.key)
        #expect(short.device == long.device)
        #expect(short.mapping.verbs == [.lock, .unlock])
        #expect(short.mapping.stateTopics == long.mapping.stateTopics)
        #expect(short.availability.sources == long.availability.sources)
        #expect(short.name == nil)
    }

    @Test("A bundle announces every entity of its device with the shared settings")
    func bundle() throws {
        let entities = try read(
            """
            {"~": "gate", "dev": {"ids": ["g1"], "name": "Gate"}, "o": {"name": "test"}, "avty_t": "~/alive", "stat_t": "~/state",
             "cmps": {
               "leaf": {"p": "cover", "uniq_id": "g1-leaf", "dev_cla": "gate", "cmd_t": "~/set", "ic": "mdi:gate-arrow-left"},
               "battery": {"p": "sensor", "uniq_id": "g1-bat", "dev_cla": "battery", "ic": "javascript:alert(1)", "unit_of_meas": "%", "val_tpl": "{{ value_json.bat }}"},
               "gone": {"p": "switch"},
               "other": {"p": "device_automation", "topic": "x"},
               "broken": 7}}
            """, at: "homeassistant/device/g1/config")

        #expect(entities.map(\.kind) == [.sensor, .cover])
        #expect(entities.map(\.name) == ["battery", nil])
        #expect(entities.map(\.uniqueID) == ["g1-bat", "g1-leaf"])
        #expect(entities.map(\.icon) == [nil, "mdi:gate-arrow-left"], "what is no name of a drawing is left out")
        #expect(entities.allSatisfy { $0.availability.sources.map(\.stateTopic.topic) == ["gate/alive"] })
        #expect(entities.allSatisfy { $0.mapping.stateTopics.map(\.topic).contains("gate/state") })
        #expect(entities.last?.mapping.verbs == [.open, .close, .stop])
    }

    @Test(
        "Every platform is parsed with the verbs that its topics allow",
        arguments: [
            ("lock", #"{"cmd_t": "a"}"#, [.lock, .unlock]),
            ("lock", #"{"cmd_t": "a", "pl_open": "OPEN"}"#, [.lock, .unlock, .open]),
            ("lock", #"{"stat_t": "a"}"#, []),
            ("cover", #"{"cmd_t": "a", "pl_stop": null}"#, [.open, .close]),
            ("cover", #"{"cmd_t": "a", "set_pos_t": "b", "tilt_cmd_t": "c"}"#, [.open, .close, .stop, .setPosition, .setTilt]),
            ("light", #"{"cmd_t": "a"}"#, [.on, .off]),
            ("light", #"{"cmd_t": "a", "bri_cmd_t": "b", "hs_cmd_t": "c"}"#, [.on, .off, .setBrightness, .setColor]),
            ("light", #"{"schema": "json", "cmd_t": "a", "sup_clrm": ["xy"]}"#, [.on, .off, .setBrightness, .setColor]),
            ("light", #"{"schema": "template", "cmd_t": "a"}"#, []),
            ("switch", #"{"cmd_t": "a"}"#, [.on, .off]),
            ("fan", #"{"cmd_t": "a", "pct_cmd_t": "b"}"#, [.on, .off, .setPercentage]),
            ("climate", #"{"mode_cmd_t": "a", "modes": ["off", "heat"], "temp_cmd_t": "b"}"#, [.on, .off, .setTemperature, .setMode]),
            ("climate", #"{"temp_cmd_t": "b"}"#, [.setTemperature]),
            ("sensor", #"{"stat_t": "a"}"#, []),
            ("binary_sensor", #"{"stat_t": "a"}"#, []),
            ("button", #"{"cmd_t": "a"}"#, [.press]),
        ] as [(String, String, Set<Verb>)])
    func kinds(kind: String, config: String, verbs: Set<Verb>) throws {
        let entity = try #require(try read(config, at: "homeassistant/\(kind)/x/config").first)

        #expect(entity.kind.rawValue == kind)
        #expect(entity.mapping.verbs == verbs)
    }

    @Test("The base topic replaces a tilde at either end of a topic")
    func base() throws {
        let entity = try #require(
            try read(#"{"~": "home/door", "cmd_t": "~/set", "stat_t": "stat/~", "avty": [{"t": "~/alive"}, {"topic": "hub"}]}"#).first)

        #expect(entity.mapping.stateTopics.map(\.topic) == ["stat/home/door"])
        #expect(entity.availability.sources.map(\.stateTopic.topic) == ["home/door/alive", "hub"])
        #expect(
            entity.mapping.commandMessages(for: .unlock, value: nil, transition: nil, in: EntityState())
                == [CommandMessage(topic: "home/door/set", payload: "UNLOCK")])
    }

    @Test("An invalid announcement is refused with its reason")
    func malformed() throws {
        #expect(throws: DiscoveryParser.DiscoveryError.notJSON) { try read("LOCKED") }
        #expect(throws: DiscoveryParser.DiscoveryError.notJSON) { try read(String(repeating: "[", count: 100_000)) }
        #expect(throws: DiscoveryParser.DiscoveryError.notAnObject) { try read("[1]") }
        #expect(throws: DiscoveryParser.DiscoveryError.emptyBundle) { try read("{}", at: "homeassistant/device/x/config") }
        #expect(try read(#"{"topic": "x"}"#, at: "homeassistant/device_automation/x/config").isEmpty)
    }

    @Test("Only discovery topics are parsed as announcements")
    func topics() {
        for topic in ["homeassistant/lock/x/config", "homeassistant/lock/node/x/config"] {
            #expect(DiscoveryTopic(topic, prefix: "homeassistant") != nil)
        }
        for topic in [
            "homeassistant/status", "homeassistant/lock/x/state", "homeassistant/lock/config", "homeassistant//x/config",
            "homeassistantx/lock/x/config", "homeassistant/lock/a/b/c/config", "", "config",
        ] {
            #expect(DiscoveryTopic(topic, prefix: "homeassistant") == nil)
        }
    }

    @Test("An announcement cannot make the hub use broker control topics or subscribe to everything")
    func dangerousTopics() throws {
        for topic in ["$CONTROL/dynamic-security/v1", "home/#", "home/+/set", "cardea/status", "a\\u0000b"] {
            let entity = try #require(try read("{\"cmd_t\": \"\(topic)\", \"stat_t\": \"#\"}").first)
            #expect(entity.mapping.verbs.isEmpty)
            #expect(entity.mapping.stateTopics.isEmpty)
            #expect(entity.notice != nil)
        }
    }

    @Test("A template that reads another entity is reported, and its state is not guessed")
    func templates() throws {
        let entity = try #require(try read(#"{"cmd_t": "a", "stat_t": "s", "val_tpl": "{{ states('lock.other') }}"}"#).first)
        let heard = IncomingMessage(topic: "s", payload: Array("LOCKED".utf8))

        #expect(entity.mapping.stateTopics.isEmpty)
        #expect(entity.mapping.state(EntityState(), after: heard) == nil)
        #expect(entity.mapping.reports(.unlock) == false)
        #expect(entity.notice?.contains("value_template") == true)

        let coded = try #require(try read(#"{"cmd_t": "a", "cmd_tpl": "{{ states('sensor.code') }}"}"#).first)
        #expect(coded.mapping.verbs.isEmpty)
        #expect(coded.notice?.contains("command_template") == true)
    }

    @Test("An unsupported availability setting keeps an entity offline")
    func unreadableAvailability() throws {
        let configs = [
            #"{"cmd_t": "a", "avty_t": "t", "avty_tpl": "{{ states('lock.other') }}"}"#,
            #"{"cmd_t": "a", "avty": [{"t": "t"}, {"t": "u", "val_tpl": "{% if %}"}], "avty_mode": "any"}"#,
            #"{"cmd_t": "a", "avty_t": "home/#"}"#,
        ]
        for config in configs {
            var availability = try #require(try read(config).first).availability
            availability.receive(IncomingMessage(topic: "t", payload: Array("online".utf8)))
            #expect(availability.isOnline == false)
        }
    }

    @Test("A lock that requires a code offers its verbs and gets no command without a code")
    func codes() throws {
        let entity = try #require(try read(#"{"cmd_t": "a", "code_format": "^\\d{4}$"}"#).first)

        #expect(entity.mapping.verbs == [.lock, .unlock])
        #expect(entity.mapping.needsCode(.unlock))
        #expect(entity.mapping.commandMessages(for: .unlock, value: nil, transition: nil, in: EntityState()) == nil)
        #expect(entity.notice == nil)
    }

    @Test("Names in announcements are cleaned")
    func names() throws {
        let entity = try #require(
            try read(#"{"name": "Do\u202Eor\u0007", "dev": {"ids": ["1"], "name": "\u0000\u0001"}}"#, at: "homeassistant/lock/x/config")
                .first)

        #expect(entity.name == "Door")
        #expect(entity.device.name == "Door")
    }

    @Test("Twenty thousand damaged announcements and messages cause no crash")
    func fuzz() throws {
        let corpus = [
            ("lock", AnnouncedLock.config),
            (
                "cover",
                #"""
                {"cmd_t":"a","pos_t":"s","set_pos_t":"b","pos_open":0,"pos_clsd":100,"tilt_status_t":"s","tilt_cmd_t":"c","tilt_max":1e300}
                """#
            ),
            (
                "light",
                #"""
                {"cmd_t":"a","stat_t":"s","bri_stat_t":"s","bri_cmd_t":"b","bri_scl":1e308,"rgb_cmd_t":"c","rgb_stat_t":"s",
                "clr_temp_stat_t":"s"}
                """#
            ),
            ("light", #"{"schema":"json","cmd_t":"a","stat_t":"s","bri_scl":254,"sup_clrm":["xy","color_temp","hs"]}"#),
            (
                "fan",
                #"{"cmd_t":"a","stat_t":"s","pct_cmd_t":"b","pct_stat_t":"s","spd_rng_min":-1e308,"spd_rng_max":1e308}"#
            ),
            (
                "climate",
                #"""
                {"mode_cmd_t":"a","mode_stat_t":"s","temp_cmd_t":"b","temp_stat_t":"s","temp_unit":"F","min_temp":5,"max_temp":90}
                """#
            ),
            (
                "sensor",
                #"""
                {"stat_t":"s","unit_of_meas":"°F","dev_cla":"temperature",
                "val_tpl":"{{ value_json.a[0]['b'] | float(1) | round(2) }}"}
                """#
            ),
            ("binary_sensor", #"{"stat_t":"s","pl_on":true,"pl_off":0,"avty":[{"t":"s","pl_avail":"1"}],"avty_mode":"all"}"#),
            (
                "device",
                #"""
                {"dev":{"ids":["d"],"cns":[["mac","1"]]},"~":"x",
                "cmps":{"a":{"p":"lock","cmd_t":"~/a"},"b":{"p":"switch","uniq_id":"u","cmd_t":"~"}}}
                """#
            ),
        ]
        let said = [
            "1", "1e308", "-1e308", "nan", "inf", "LOCKED", "None", "", "{", #"{"a":[{"b":"7"}]}"#, "0,0,0", "1e308,1e308,-1e308",
            "255,0,1",
            #"{"state":"ON","brightness":1e308,"color":{"x":1e-5,"y":1e-5}}"#, #"{"color":{"x":0.3,"y":0.0001},"color_mode":"xy"}"#,
            #"{"color_temp":0}"#, #"{"color_temp":1e-320}"#, #"{"color":{"h":1e308,"s":-5}}"#, "\u{FEFF}", "٣",
        ]
        let values: [JSONValue?] = [
            nil, 0, 50, 100, 1e308, -1e308, .number(.nan), .number(.infinity), ["hue": 1e308, "saturation": 50], ["temperature": 1e-300],
            ["hue": 359.99, "saturation": 100], "x",
        ]
        var random = DamageGenerator(seed: 20_261_121)
        var roster = DiscoveryRegistry()
        var understood = 0
        let count = TestRepetitions.of(5000, full: 20_000)
        for _ in 0..<count {
            let (kind, config) = corpus[Int.random(in: corpus.indices, using: &random)]
            let bytes = random.damage(Array(config.utf8))
            let object = Int.random(in: 0..<3, using: &random)
            let topic = try #require(DiscoveryTopic("homeassistant/\(kind)/x\(object)/config", prefix: "homeassistant"))
            roster.apply(bytes, at: topic)
            let payload = random.damage(Array(said[Int.random(in: said.indices, using: &random)].utf8))
            for report in roster.receive(IncomingMessage(topic: "s", payload: payload), isFresh: true) where report.state.value != "unknown"
            {
                understood += 1
            }
            guard let entities = try? DiscoveryParser.read(bytes, at: topic).entities else { continue }
            for entity in entities {
                for verb in entity.mapping.verbs {
                    let value = values[Int.random(in: values.indices, using: &random)]
                    _ = entity.mapping.commandMessages(for: verb, value: value, transition: .infinity, in: EntityState())
                }
            }
            if Int.random(in: 0..<50, using: &random) == 0 { roster.apply([], at: topic) }
            _ = roster.collectChanges(at: .distantPast)
        }

        #expect(understood > count / 200, "seed \(random.seed)")
        #expect(roster.entityCount <= DiscoveryRegistry.entityLimit, "seed \(random.seed)")
        #expect(roster.problems.count <= DiscoveryRegistry.problemLimit, "seed \(random.seed)")
    }
}

/// Reproducible random numbers.
struct DamageGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    /// `CARDEA_SEED` overrides the seed.
    init(seed: UInt64) {
        self.seed = TestSeed.value(seed)
        state = self.seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Zero, one or several bytes changed, removed, doubled or inserted.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...4, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(Array("{}[]\":,~0\\".utf8).randomElement(using: &self) ?? 0, at: place)
            case 3: bytes.removeSubrange(place...)
            case 4: bytes.insert(contentsOf: bytes[place...], at: place)
            default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            }
        }
        return bytes
    }
}
