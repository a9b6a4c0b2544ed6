import CardeaModel
import Testing

@testable import CardeaMQTT

@Suite("States of lights")
struct LightStateMappingTests {
    @Test(
        "A light's colour is read in every format",
        arguments: [
            ("rgb", "10,20,30", ["hue": 210, "saturation": 66.7]), ("rgbw", "255,0,0,0", ["hue": 0, "saturation": 100]),
            ("rgbw", "0,0,0,99", ["hue": 0, "saturation": 0]), ("rgbww", "10,20,30,200,10", ["hue": 200, "saturation": 1.2]),
            ("hs", "300.5,99.96", ["hue": 300.5, "saturation": 100]), ("xy", "0.5,0.4", ["hue": 32.5, "saturation": 61.6]),
        ] as [(String, String, JSONValue)])
    func colours(form: String, said: String, colour: JSONValue) throws {
        let light = try MappingFixture.entity(
            "light", #"{"cmd_t": "c", "\#(form)_command_topic": "x", "\#(form)_state_topic": "s"}"#)

        #expect(MappingFixture.state(light, [("s", said)]).attributes["color"] == colour)
    }

    @Test("A light without a brightness topic takes its brightness from its channels")
    func dimmedChannels() throws {
        let light = try MappingFixture.entity("light", #"{"cmd_t": "c", "rgb_cmd_t": "x", "rgb_stat_t": "s"}"#)
        let states = MappingFixture.states(light, [("s", "0,51,0"), ("s", "0,0,0"), ("s", "1,2"), ("s", "1.5,2,3")])

        #expect(states[0]?.attributes["brightness"] == 20)
        #expect(states[1]?.attributes["brightness"] == 20)
        #expect(states[2] == nil && states[3] == nil)
    }

    @Test("A light with a colour mode has the colour of that mode")
    func colourMode() throws {
        let light = try MappingFixture.entity(
            "light",
            #"""
            {"cmd_t": "c", "hs_cmd_t": "x", "hs_stat_t": "h", "clr_temp_cmd_t": "x", "clr_temp_stat_t": "t", "whit_cmd_t": "w",
            "clrm_stat_t": "m", "bri_cmd_t": "b", "bri_stat_t": "bs"}
            """#)
        let states = MappingFixture.states(
            light,
            [("h", "120,50"), ("t", "250"), ("m", "color_temp"), ("m", "hs"), ("t", "500"), ("bs", "51"), ("m", "white"), ("m", "?")])

        #expect(
            states.map { $0?.attributes["color"] } == [
                nil, nil, ["temperature": 4000], ["hue": 120, "saturation": 50], ["hue": 120, "saturation": 50],
                ["hue": 120, "saturation": 50], ["white": 20], nil,
            ])
        #expect(states[2]?.attributes["supported_color_modes"] == ["hs", "color_temp", "white"])
    }

    @Test("A light without a colour mode has the last reported colour")
    func lastColour() throws {
        let light = try MappingFixture.entity(
            "light", #"{"cmd_t": "c", "hs_cmd_t": "x", "hs_stat_t": "h", "clr_temp_cmd_t": "x", "clr_temp_stat_t": "t"}"#)
        let states = MappingFixture.states(light, [("h", "120,50"), ("t", "250"), ("t", "2.5"), ("h", "1,2,3")])

        #expect(
            states.map { $0?.attributes["color"] } == [["hue": 120, "saturation": 50], ["temperature": 4000], nil, nil])
    }

    @Test("Effects and the list of effects are reported")
    func effects() throws {
        let light = try MappingFixture.entity(
            "light", #"{"cmd_t": "c", "fx_cmd_t": "f", "fx_stat_t": "fs", "fx_list": ["rain", "fire"], "fx_val_tpl": "{{ value_json.e }}"}"#
        )
        let states = MappingFixture.states(light, [("fs", #"{"e": "rain"}"#), ("fs", "{}"), ("fs", "rain")])

        #expect(states.map { $0?.attributes["effect"] } == ["rain", nil, nil])
        #expect(light.mapping.initialState.attributes["effect_list"] == ["rain", "fire"])
    }

    @Test(
        "A JSON light has the colour of the mode in its message",
        arguments: [
            (#"{"state": "ON", "color_mode": "hs", "color": {"h": 120.5, "s": 50}}"#, ["hue": 120.5, "saturation": 50]),
            (#"{"state": "ON", "color_mode": "rgb", "color": {"r": 12, "g": "200", "b": 255}}"#, ["hue": 193.6, "saturation": 95.3]),
            (#"{"state": "ON", "color_mode": "rgbw", "color": {"r": 255, "g": 0, "b": 0, "w": 0}}"#, ["hue": 0, "saturation": 100]),
            (#"{"state": "ON", "color_mode": "xy", "color": {"x": 0.5, "y": 0.4}}"#, ["hue": 32.5, "saturation": 61.6]),
            (#"{"state": "ON", "color_mode": "color_temp", "color_temp": 250}"#, ["temperature": 4000]),
            (#"{"state": "ON", "color_mode": "white", "brightness": 51}"#, ["white": 20]),
            (#"{"state": "ON", "color_mode": "hs", "color": {"h": 1}}"#, nil), (#"{"state": "ON", "color": {"h": 1, "s": 1}}"#, nil),
            (#"{"state": "ON", "color_mode": "rgbww", "color": {"r": 1, "g": 1, "b": 1, "c": 1, "w": 1}}"#, nil),
        ] as [(String, JSONValue?)])
    func json(message: String, colour: JSONValue?) throws {
        let light = try MappingFixture.entity(
            "light",
            #"""
            {"schema": "json", "cmd_t": "c", "stat_t": "s", "sup_clrm": ["hs", "rgb", "rgbw", "xy", "color_temp", "white"]}
            """#)
        let state = MappingFixture.state(light, [("s", message)])

        #expect(state.value == "on")
        #expect(state.attributes["color"] == colour)
    }

    @Test("A JSON light's message needs a state, and a null brightness is ignored")
    func jsonBrightness() throws {
        let light = try MappingFixture.entity(
            "light", #"{"schema": "json", "cmd_t": "c", "stat_t": "s", "brightness": true, "bri_scl": 100, "effect": true}"#)
        let states = MappingFixture.states(
            light,
            [
                ("s", #"{"brightness": 30}"#), ("s", #"{"state": "ON", "brightness": 30, "effect": "rain"}"#),
                ("s", #"{"state": "OFF", "brightness": 0, "effect": null}"#), ("s", #"{"state": null, "brightness": "7"}"#), ("s", "ON"),
            ])

        #expect(states.map { $0?.value } == [nil, "on", "off", "unknown", nil])
        #expect(states.map { $0?.attributes["brightness"] } == [nil, 30, 30, 30, nil])
        #expect(states.map { $0?.attributes["effect"] } == [nil, "rain", nil, nil, nil])
    }
}
