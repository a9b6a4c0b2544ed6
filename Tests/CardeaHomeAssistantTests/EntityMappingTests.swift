import CardeaModel
import Testing

@testable import CardeaHomeAssistant

@Suite("States and commands of Home Assistant entities")
struct EntityMappingTests {
    private func mapping(_ json: String, isFahrenheit: Bool = false) throws -> any EntityMapping {
        let value = try #require(JSONValue.read(Array(json.utf8)))
        let said = try #require(StateReport(value))
        return said.kind.mapping(said, isFahrenheit: isFahrenheit)
    }

    @Test(
        "A lock's states map to the hub's states",
        arguments: ["locked", "unlocked", "locking", "unlocking", "jammed", "opening", "open"])
    func lockStates(word: String) throws {
        let lock = try mapping(#"{"entity_id": "lock.door", "state": "\#(word)", "attributes": {"supported_features": 0}}"#)

        #expect(lock.state.value == word)
        #expect(lock.verbs == [.lock, .unlock])
        #expect(lock.serviceCall(.unlock, value: nil, transition: nil) == ServiceCall("unlock"))
        #expect(lock.serviceCall(.open, value: nil, transition: nil) == nil)
    }

    @Test("A lock with a latch supports open, and one that requires a code supports only lock")
    func lockFeatures() throws {
        let latch = try mapping(#"{"entity_id": "lock.door", "state": "locked", "attributes": {"supported_features": 1}}"#)
        let coded = try mapping(#"{"entity_id": "lock.door", "state": "frozen", "attributes": {"code_format": "^\\d{4}$"}}"#)

        #expect(latch.verbs == [.lock, .unlock, .open])
        #expect(latch.serviceCall(.open, value: nil, transition: nil) == ServiceCall("open"))
        #expect(coded.verbs == [.lock])
        #expect(coded.notice != nil)
        #expect(coded.state.value == "unknown")
    }

    @Test("A cover supports the verbs of its features")
    func cover() throws {
        let garage = try mapping(
            #"{"entity_id": "cover.garage", "state": "closed", "attributes": {"device_class": "garage", "supported_features": 3}}"#)
        let window = try mapping(
            #"{"entity_id": "cover.window", "state": "open", "attributes": {"current_position": 70, "current_tilt_position": 50, "supported_features": 255}}"#
        )

        #expect(garage.verbs == [.open, .close])
        #expect(garage.serviceCall(.setPosition, value: 40, transition: nil) == nil)
        #expect(window.verbs == [.open, .close, .stop, .setPosition, .setTilt])
        #expect(window.state == EntityState("open", attributes: ["position": 70, "tilt": 50]))
        #expect(window.serviceCall(.setPosition, value: 40.4, transition: nil) == ServiceCall("set_cover_position", ["position": 40]))
        #expect(window.serviceCall(.setTilt, value: 10, transition: nil) == ServiceCall("set_cover_tilt_position", ["tilt_position": 10]))
        #expect(window.serviceCall(.stop, value: nil, transition: nil) == ServiceCall("stop_cover"))
    }

    @Test("Brightness converts between 0–255 and percent without loss", arguments: 1...100)
    func brightness(percent: Int) throws {
        let light = try mapping(#"{"entity_id": "light.hall", "state": "on", "attributes": {"supported_color_modes": ["brightness"]}}"#)

        let level = try #require(
            light.serviceCall(.setBrightness, value: .number(Double(percent)), transition: nil)?.data["brightness"]?.number)
        let said = try mapping(
            #"{"entity_id": "light.hall", "state": "on", "attributes": {"supported_color_modes": ["brightness"], "brightness": \#(Int(level))}}"#
        )

        #expect((1...255).contains(level))
        #expect(said.state.attributes["brightness"] == .number(Double(percent)))
    }

    @Test("A light supports the verbs of its colour modes")
    func lightModes() throws {
        let plain = try mapping(#"{"entity_id": "light.a", "state": "on", "attributes": {"supported_color_modes": ["onoff"]}}"#)
        let warm = try mapping(
            #"{"entity_id": "light.b", "state": "on", "attributes": {"supported_color_modes": ["color_temp"], "color_mode": "color_temp", "brightness": 180, "color_temp_kelvin": 2631, "hs_color": [28.5, 67.9], "supported_features": 32}}"#
        )
        let coloured = try mapping(
            #"{"entity_id": "light.c", "state": "on", "attributes": {"supported_color_modes": ["rgbw"], "color_mode": "rgbw", "brightness": 255, "hs_color": [0.04, 49.804]}}"#
        )

        #expect(plain.verbs == [.on, .off])
        #expect(plain.serviceCall(.setBrightness, value: 50, transition: nil) == nil)
        #expect(warm.verbs == [.on, .off, .setBrightness, .setColor])
        #expect(
            warm.state
                == EntityState(
                    "on", attributes: ["brightness": 71, "color": ["temperature": 2631], "supported_color_modes": ["color_temp"]]))
        #expect(coloured.state.attributes["supported_color_modes"] == ["hs"])
        #expect(
            warm.serviceCall(.setColor, value: ["temperature": 3000], transition: 2)
                == ServiceCall("turn_on", ["color_temp_kelvin": 3000, "transition": 2]))
        #expect(warm.serviceCall(.setColor, value: ["hue": 10, "saturation": 20], transition: nil) == nil)
        #expect(warm.serviceCall(.setBrightness, value: 0, transition: nil) == ServiceCall("turn_off"))
        #expect(coloured.state.attributes["color"] == ["hue": 0, "saturation": 49.8])
        #expect(
            coloured.serviceCall(.setColor, value: ["hue": 10, "saturation": 20], transition: 2)
                == ServiceCall("turn_on", ["hs_color": [10, 20]]))
        #expect(coloured.serviceCall(.setColor, value: ["temperature": 3000], transition: nil) == nil)
    }

    @Test("A light reports its white range, also from an older Home Assistant and while off")
    func whites() throws {
        func said(_ attributes: String, modes: String = #"["color_temp"]"#) throws -> EntityState {
            try mapping(
                #"{"entity_id": "light.a", "state": "off", "attributes": {"supported_color_modes": \#(modes), \#(attributes)}}"#
            ).state
        }
        let both: [String: JSONValue] = ["min_color_temp_kelvin": 2203, "max_color_temp_kelvin": 4000]

        func bounds(_ state: EntityState) -> [String: JSONValue] { state.attributes.filter { both[$0.key] != nil } }
        #expect(bounds(try said(#""min_color_temp_kelvin": 2202.6, "max_color_temp_kelvin": 4000, "min_mireds": 1"#)) == both)
        #expect(bounds(try said(#""min_mireds": 250, "max_mireds": 454"#)) == both)
        #expect(bounds(try said(#""max_color_temp_kelvin": 4000"#)) == ["max_color_temp_kelvin": 4000])
        // Reversed limits, empty limits, and a lamp with colours only.
        #expect(bounds(try said(#""min_color_temp_kelvin": 5000, "max_color_temp_kelvin": 4000"#)).isEmpty)
        #expect(bounds(try said(#""min_mireds": 0, "max_mireds": null"#)).isEmpty)
        #expect(bounds(try said(#""min_color_temp_kelvin": 2203, "max_color_temp_kelvin": 4000"#, modes: #"["hs"]"#)).isEmpty)
    }

    @Test("A Fahrenheit thermostat is commanded in Fahrenheit and reported in Celsius")
    func climate() throws {
        let json = #"""
            {"entity_id": "climate.hall", "state": "heat", "attributes": {"hvac_modes": ["heat", "off"], "supported_features": 1,
            "temperature": 69.8, "current_temperature": 77, "min_temp": 45, "max_temp": 95, "hvac_action": "heating"}}
            """#
        let american = try mapping(json, isFahrenheit: true)
        let metric = try mapping(json)

        #expect(
            american.state
                == EntityState(
                    "heat",
                    attributes: [
                        "target_temperature": 21, "current_temperature": 25, "action": "heating", "hvac_modes": ["heat", "off"],
                    ]))
        #expect(american.verbs == [.setTemperature, .on, .off, .setMode])
        #expect(american.serviceCall(.setTemperature, value: 20, transition: nil) == ServiceCall("set_temperature", ["temperature": 68]))
        #expect(american.serviceCall(.setTemperature, value: 60, transition: nil) == nil)
        #expect(american.serviceCall(.on, value: nil, transition: nil) == ServiceCall("set_hvac_mode", ["hvac_mode": "heat"]))
        #expect(american.serviceCall(.off, value: nil, transition: nil) == ServiceCall("set_hvac_mode", ["hvac_mode": "off"]))
        #expect(american.serviceCall(.setMode, value: "off", transition: nil) == ServiceCall("set_hvac_mode", ["hvac_mode": "off"]))
        #expect(american.serviceCall(.setMode, value: "cool", transition: nil) == nil)
        #expect(metric.state.attributes["current_temperature"] == 77)
    }

    @Test("Fans, speakers, sensors and buttons support the verbs of their features")
    func others() throws {
        let fan = try mapping(
            #"{"entity_id": "fan.a", "state": "on", "attributes": {"percentage": 66, "percentage_step": 33.3, "supported_features": 1}}"#)
        let speaker = try mapping(
            #"{"entity_id": "media_player.a", "state": "playing", "attributes": {"volume_level": 0.3, "media_title": "A film", "supported_features": 16773}}"#
        )
        let dumb = try mapping(#"{"entity_id": "media_player.b", "state": "standby", "attributes": {}}"#)
        let outside = try mapping(
            #"{"entity_id": "sensor.a", "state": "50", "attributes": {"device_class": "temperature", "unit_of_measurement": "°F"}}"#)
        let motion = try mapping(#"{"entity_id": "binary_sensor.a", "state": "on", "attributes": {"device_class": "motion"}}"#)
        let bell = try mapping(#"{"entity_id": "button.a", "state": "2026-11-21T11:31:16+00:00", "attributes": {}}"#)

        #expect(fan.serviceCall(.setPercentage, value: 33, transition: nil) == ServiceCall("set_percentage", ["percentage": 33]))
        #expect(fan.serviceCall(.setPercentage, value: 0, transition: nil) == ServiceCall("turn_off"))
        #expect(speaker.verbs == [.on, .off, .play, .pause, .setVolume])
        #expect(speaker.state == EntityState("on", attributes: ["playback": "playing", "volume": 30]))
        #expect(speaker.serviceCall(.setVolume, value: 45, transition: nil) == ServiceCall("volume_set", ["volume_level": 0.45]))
        #expect(dumb.state == EntityState("off", attributes: ["standby": true]) && dumb.verbs.isEmpty)
        #expect(outside.state.value == "10" && outside.unit == "°C")
        #expect(motion.state.value == "on")
        #expect(bell.state.value == "unknown" && bell.verbs == [.press])
        #expect(bell.serviceCall(.press, value: nil, transition: nil) == ServiceCall("press"))
    }

    @Test(
        "Attributes of the wrong type are ignored",
        arguments: [
            "light.a", "lock.a", "cover.a", "climate.a", "fan.a", "media_player.a", "sensor.a", "binary_sensor.a", "button.a", "switch.a",
        ])
    func damaged(entityID: String) throws {
        for odd in ["null", "1e308", "-1e308", "\"x\"", "[]", "[1]", "{}", "true"] {
            let names = [
                "brightness", "hs_color", "supported_features", "supported_color_modes", "color_temp_kelvin", "current_position",
                "temperature",
                "percentage", "volume_level", "unit_of_measurement", "device_class", "hvac_modes", "code_format", "min_temp", "color_mode",
                "min_color_temp_kelvin", "max_color_temp_kelvin", "min_mireds", "max_mireds",
            ]
            let attributes = names.map { "\"\($0)\": \(odd)" }.joined(separator: ",")
            let one = try mapping(#"{"entity_id": "\#(entityID)", "state": "on", "attributes": {\#(attributes)}}"#, isFahrenheit: true)

            _ = one.state
            for verb in Verb.allCases { _ = one.serviceCall(verb, value: 50, transition: 1) }
        }
        #expect(StateReport(["entity_id": .string(entityID), "state": 5]) == nil)
    }

    @Test(
        "Only entity ids in Home Assistant's format are read",
        arguments: ["lock.", ".door", "lock", "lock.a.b", "lock.Ä", "lock.a b", "person.ann", ""])
    func strangeIDs(id: String) {
        #expect(StateReport(["entity_id": .string(id), "state": "on"]) == nil)
    }
}
