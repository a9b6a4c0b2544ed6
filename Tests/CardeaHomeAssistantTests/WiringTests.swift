import CardeaModel
import Testing

@testable import CardeaHomeAssistant

@Suite("What Home Assistant says and is told")
struct WiringTests {
    private func wiring(_ json: String, isFahrenheit: Bool = false) throws -> any Wiring {
        let value = try #require(JSONValue.read(Array(json.utf8)))
        let said = try #require(Said(value))
        return said.kind.wiring(said, isFahrenheit: isFahrenheit)
    }

    @Test(
        "A lock says how it stands in the house's words",
        arguments: ["locked", "unlocked", "locking", "unlocking", "jammed", "opening", "open"])
    func lockStates(word: String) throws {
        let lock = try wiring(#"{"entity_id": "lock.door", "state": "\#(word)", "attributes": {"supported_features": 0}}"#)

        #expect(lock.state.value == word)
        #expect(lock.verbs == [.lock, .unlock])
        #expect(lock.call(.unlock, value: nil, transition: nil) == ServiceCall("unlock"))
        #expect(lock.call(.open, value: nil, transition: nil) == nil)
    }

    @Test("A lock with a latch opens, and one that wants a code is only locked")
    func lockFeatures() throws {
        let latch = try wiring(#"{"entity_id": "lock.door", "state": "locked", "attributes": {"supported_features": 1}}"#)
        let coded = try wiring(#"{"entity_id": "lock.door", "state": "frozen", "attributes": {"code_format": "^\\d{4}$"}}"#)

        #expect(latch.verbs == [.lock, .unlock, .open])
        #expect(latch.call(.open, value: nil, transition: nil) == ServiceCall("open"))
        #expect(coded.verbs == [.lock])
        #expect(coded.notice != nil)
        #expect(coded.state.value == "unknown")
    }

    @Test("A cover does what its features say")
    func cover() throws {
        let garage = try wiring(
            #"{"entity_id": "cover.garage", "state": "closed", "attributes": {"device_class": "garage", "supported_features": 3}}"#)
        let window = try wiring(
            #"{"entity_id": "cover.window", "state": "open", "attributes": {"current_position": 70, "current_tilt_position": 50, "supported_features": 255}}"#
        )

        #expect(garage.verbs == [.open, .close])
        #expect(garage.call(.setPosition, value: 40, transition: nil) == nil)
        #expect(window.verbs == [.open, .close, .stop, .setPosition, .setTilt])
        #expect(window.state == EntityState("open", attributes: ["position": 70, "tilt": 50]))
        #expect(window.call(.setPosition, value: 40.4, transition: nil) == ServiceCall("set_cover_position", ["position": 40]))
        #expect(window.call(.setTilt, value: 10, transition: nil) == ServiceCall("set_cover_tilt_position", ["tilt_position": 10]))
        #expect(window.call(.stop, value: nil, transition: nil) == ServiceCall("stop_cover"))
    }

    @Test("A light's brightness is counted to 255 there and to 100 here, and comes back as it was asked", arguments: 1...100)
    func brightness(percent: Int) throws {
        let light = try wiring(#"{"entity_id": "light.hall", "state": "on", "attributes": {"supported_color_modes": ["brightness"]}}"#)

        let level = try #require(light.call(.setBrightness, value: .number(Double(percent)), transition: nil)?.data["brightness"]?.number)
        let said = try wiring(
            #"{"entity_id": "light.hall", "state": "on", "attributes": {"supported_color_modes": ["brightness"], "brightness": \#(Int(level))}}"#
        )

        #expect((1...255).contains(level))
        #expect(said.state.attributes["brightness"] == .number(Double(percent)))
    }

    @Test("A light does what its colour modes say")
    func lightModes() throws {
        let plain = try wiring(#"{"entity_id": "light.a", "state": "on", "attributes": {"supported_color_modes": ["onoff"]}}"#)
        let warm = try wiring(
            #"{"entity_id": "light.b", "state": "on", "attributes": {"supported_color_modes": ["color_temp"], "color_mode": "color_temp", "brightness": 180, "color_temp_kelvin": 2631, "hs_color": [28.5, 67.9], "supported_features": 32}}"#
        )
        let coloured = try wiring(
            #"{"entity_id": "light.c", "state": "on", "attributes": {"supported_color_modes": ["rgbw"], "color_mode": "rgbw", "brightness": 255, "hs_color": [0.04, 49.804]}}"#
        )

        #expect(plain.verbs == [.on, .off])
        #expect(plain.call(.setBrightness, value: 50, transition: nil) == nil)
        #expect(warm.verbs == [.on, .off, .setBrightness, .setColor])
        #expect(
            warm.state
                == EntityState(
                    "on", attributes: ["brightness": 71, "color": ["temperature": 2631], "supported_color_modes": ["color_temp"]]))
        #expect(coloured.state.attributes["supported_color_modes"] == ["hs"])
        #expect(
            warm.call(.setColor, value: ["temperature": 3000], transition: 2)
                == ServiceCall("turn_on", ["color_temp_kelvin": 3000, "transition": 2]))
        #expect(warm.call(.setColor, value: ["hue": 10, "saturation": 20], transition: nil) == nil)
        #expect(warm.call(.setBrightness, value: 0, transition: nil) == ServiceCall("turn_off"))
        #expect(coloured.state.attributes["color"] == ["hue": 0, "saturation": 49.8])
        #expect(
            coloured.call(.setColor, value: ["hue": 10, "saturation": 20], transition: 2)
                == ServiceCall("turn_on", ["hs_color": [10, 20]]))
        #expect(coloured.call(.setColor, value: ["temperature": 3000], transition: nil) == nil)
    }

    @Test("A light says which whites it shines in, also one of an older Home Assistant and one that is off")
    func whites() throws {
        func said(_ attributes: String, modes: String = #"["color_temp"]"#) throws -> EntityState {
            try wiring(
                #"{"entity_id": "light.a", "state": "off", "attributes": {"supported_color_modes": \#(modes), \#(attributes)}}"#
            ).state
        }
        let both: [String: JSONValue] = ["min_color_temp_kelvin": 2203, "max_color_temp_kelvin": 4000]

        func bounds(_ state: EntityState) -> [String: JSONValue] { state.attributes.filter { both[$0.key] != nil } }
        #expect(bounds(try said(#""min_color_temp_kelvin": 2202.6, "max_color_temp_kelvin": 4000, "min_mireds": 1"#)) == both)
        #expect(bounds(try said(#""min_mireds": 250, "max_mireds": 454"#)) == both)
        #expect(bounds(try said(#""max_color_temp_kelvin": 4000"#)) == ["max_color_temp_kelvin": 4000])
        // The wrong way round, nothing at all, and a lamp of colours alone.
        #expect(bounds(try said(#""min_color_temp_kelvin": 5000, "max_color_temp_kelvin": 4000"#)).isEmpty)
        #expect(bounds(try said(#""min_mireds": 0, "max_mireds": null"#)).isEmpty)
        #expect(bounds(try said(#""min_color_temp_kelvin": 2203, "max_color_temp_kelvin": 4000"#, modes: #"["hs"]"#)).isEmpty)
    }

    @Test("A thermostat that thinks in °F is spoken to in °F, and the house hears °C")
    func climate() throws {
        let json = #"""
            {"entity_id": "climate.hall", "state": "heat", "attributes": {"hvac_modes": ["heat", "off"], "supported_features": 1,
            "temperature": 69.8, "current_temperature": 77, "min_temp": 45, "max_temp": 95, "hvac_action": "heating"}}
            """#
        let american = try wiring(json, isFahrenheit: true)
        let metric = try wiring(json)

        #expect(
            american.state
                == EntityState(
                    "heat",
                    attributes: [
                        "target_temperature": 21, "current_temperature": 25, "action": "heating", "hvac_modes": ["heat", "off"],
                    ]))
        #expect(american.verbs == [.setTemperature, .on, .off, .setMode])
        #expect(american.call(.setTemperature, value: 20, transition: nil) == ServiceCall("set_temperature", ["temperature": 68]))
        #expect(american.call(.setTemperature, value: 60, transition: nil) == nil)
        #expect(american.call(.on, value: nil, transition: nil) == ServiceCall("set_hvac_mode", ["hvac_mode": "heat"]))
        #expect(american.call(.off, value: nil, transition: nil) == ServiceCall("set_hvac_mode", ["hvac_mode": "off"]))
        #expect(american.call(.setMode, value: "off", transition: nil) == ServiceCall("set_hvac_mode", ["hvac_mode": "off"]))
        #expect(american.call(.setMode, value: "cool", transition: nil) == nil)
        #expect(metric.state.attributes["current_temperature"] == 77)
    }

    @Test("Fans, speakers, sensors and buttons are told what they can do")
    func others() throws {
        let fan = try wiring(
            #"{"entity_id": "fan.a", "state": "on", "attributes": {"percentage": 66, "percentage_step": 33.3, "supported_features": 1}}"#)
        let speaker = try wiring(
            #"{"entity_id": "media_player.a", "state": "playing", "attributes": {"volume_level": 0.3, "media_title": "A film", "supported_features": 16773}}"#
        )
        let dumb = try wiring(#"{"entity_id": "media_player.b", "state": "standby", "attributes": {}}"#)
        let outside = try wiring(
            #"{"entity_id": "sensor.a", "state": "50", "attributes": {"device_class": "temperature", "unit_of_measurement": "°F"}}"#)
        let motion = try wiring(#"{"entity_id": "binary_sensor.a", "state": "on", "attributes": {"device_class": "motion"}}"#)
        let bell = try wiring(#"{"entity_id": "button.a", "state": "2026-11-21T11:31:16+00:00", "attributes": {}}"#)

        #expect(fan.call(.setPercentage, value: 33, transition: nil) == ServiceCall("set_percentage", ["percentage": 33]))
        #expect(fan.call(.setPercentage, value: 0, transition: nil) == ServiceCall("turn_off"))
        #expect(speaker.verbs == [.on, .off, .play, .pause, .setVolume])
        #expect(speaker.state == EntityState("on", attributes: ["playback": "playing", "volume": 30]))
        #expect(speaker.call(.setVolume, value: 45, transition: nil) == ServiceCall("volume_set", ["volume_level": 0.45]))
        #expect(dumb.state == EntityState("off", attributes: ["standby": true]) && dumb.verbs.isEmpty)
        #expect(outside.state.value == "10" && outside.unit == "°C")
        #expect(motion.state.value == "on")
        #expect(bell.state.value == "unknown" && bell.verbs == [.press])
        #expect(bell.call(.press, value: nil, transition: nil) == ServiceCall("press"))
    }

    @Test(
        "Attributes of the wrong shape say nothing, and harm nothing",
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
            let one = try wiring(#"{"entity_id": "\#(entityID)", "state": "on", "attributes": {\#(attributes)}}"#, isFahrenheit: true)

            _ = one.state
            for verb in Verb.allCases { _ = one.call(verb, value: 50, transition: 1) }
        }
        #expect(Said(["entity_id": .string(entityID), "state": 5]) == nil)
    }

    @Test(
        "Only ids in Home Assistant's form are read",
        arguments: ["lock.", ".door", "lock", "lock.a.b", "lock.Ä", "lock.a b", "person.ann", ""])
    func strangeIDs(id: String) {
        #expect(Said(["entity_id": .string(id), "state": "on"]) == nil)
    }
}
