import CardeaModel
import Testing

@testable import CardeaMQTT

@Suite("Light commands match Home Assistant byte for byte")
struct LightCommandMappingTests {
    private static let byTopics: [CommandRow] = [
        CommandRow(
            #"{"cmd_t": "c", "rgb_cmd_t": "rgb"}"#,
            [
                (.setColor, ["hue": 0, "saturation": 100], "rgb: 255,0,0 | c: ON"),
                (.setColor, ["hue": 120, "saturation": 50], "rgb: 128,255,128 | c: ON"),
                (.setColor, ["hue": 33.3, "saturation": 71.2], "rgb: 255,174,73 | c: ON"),
                (.setBrightness, 30, "rgb: 76,76,76 | c: ON"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "rgb_cmd_t": "rgb", "rgb_stat_t": "s"}"#, after: [("s", "10,20,30")],
            [
                (.on, nil, "c: ON"),
                (.setBrightness, 50, "rgb: 42,85,128 | c: ON"),
                (.setColor, ["hue": 240, "saturation": 100], "rgb: 0,0,30 | c: ON"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "rgbw_cmd_t": "rgbw"}"#,
            [
                (.setColor, ["hue": 120, "saturation": 50], "rgbw: 0,253,0,255 | c: ON"),
                (.setColor, ["hue": 33.3, "saturation": 71.2], "rgbw: 255,142,0,102 | c: ON"),
                (.setBrightness, 70, "rgbw: 178,178,178,178 | c: ON"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "rgbww_cmd_t": "rgbww"}"#,
            [
                (.setColor, ["hue": 120, "saturation": 50], "rgbww: 0,255,109,198,198 | c: ON"),
                (.setColor, ["hue": 33.3, "saturation": 71.2], "rgbww: 144,93,0,255,255 | c: ON"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "hs_cmd_t": "hs"}"#,
            [
                (.setColor, ["hue": 120, "saturation": 50], "hs: 120.0,50.0 | c: ON"),
                (.setColor, ["temperature": 2700], "hs: 28.395,65.723 | c: ON"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "xy_cmd_t": "xy"}"#,
            [
                (.setColor, ["hue": 0, "saturation": 100], "xy: 0.701,0.299 | c: ON"),
                (.setColor, ["hue": 33.3, "saturation": 71.2], "xy: 0.526,0.405 | c: ON"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "hs_cmd_t": "hs", "hs_cmd_tpl": "{{ hue }};{{ sat }}", "on_cmd_type": "first"}"#,
            [
                (.setColor, ["hue": 33.3, "saturation": 71.2], "c: ON | hs: 33.3;71.2")
            ]),
        CommandRow(
            ##"{"cmd_t": "c", "rgb_cmd_t": "rgb", "rgb_cmd_tpl": "#{{ '%02x%02x%02x' | format(red, green, blue) }}"}"##,
            [
                (.setColor, ["hue": 33.3, "saturation": 71.2], "rgb: #ffae49 | c: ON")
            ]),
        CommandRow(
            #"{"cmd_t": "c", "bri_cmd_t": "b", "bri_scl": 99, "bri_stat_t": "bs", "on_cmd_type": "brightness"}"#, after: [("bs", "50")],
            [
                (.on, nil, "b: 50"),
                (.off, nil, "c: OFF"),
                (.setBrightness, 30, "b: 30"),
                (.setBrightness, 0, "c: OFF"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "bri_cmd_t": "b", "bri_cmd_tpl": "{\"level\": {{ value }}}"}"#,
            [
                (.setBrightness, 10, #"b: {"level": 26} | c: ON"#),
                (.setBrightness, 0.5, #"b: {"level": 1} | c: ON"#),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "clr_temp_cmd_t": "t"}"#,
            [
                (.setColor, ["temperature": 2700], "t: 370 | c: ON"),
                (.setColor, ["temperature": 6500], "t: 153 | c: ON"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "clr_temp_cmd_t": "t", "clr_temp_k": true, "clr_temp_cmd_tpl": "{{ value }} K"}"#,
            [
                (.setColor, ["temperature": 2700], "t: 2700 K | c: ON")
            ]),
        CommandRow(
            #"{"cmd_t": "c", "rgb_cmd_t": "rgb", "whit_cmd_t": "w", "whit_scl": 100}"#,
            [
                (.setColor, ["white": 50], "w: 50 | c: ON"),
                (.setColor, ["white": 0], "c: OFF"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "fx_cmd_t": "f", "fx_list": ["rain"], "fx_cmd_tpl": "e:{{ value }}"}"#,
            [
                (.setEffect, "rain", "f: e:rain | c: ON")
            ]),
    ]

    @Test("Commands of a light with separate topics match", arguments: byTopics)
    func topics(_ row: CommandRow) throws { try row.check("light") }

    private static let byJSON: [CommandRow] = [
        CommandRow(
            #"{"schema": "json", "cmd_t": "c", "sup_clrm": ["hs"]}"#,
            [
                (.on, nil, #"c: {"state":"ON"}"#),
                (.off, nil, #"c: {"state":"OFF"}"#),
                (.setColor, ["hue": 120, "saturation": 50], #"c: {"state":"ON","color":{"h":120.0,"s":50.0}}"#),
                (.setColor, ["temperature": 2700], #"c: {"state":"ON","color":{"h":28.395,"s":65.723}}"#),
                (.setBrightness, 40, #"c: {"state":"ON","brightness":102}"#),
            ]),
        CommandRow(
            #"{"schema": "json", "cmd_t": "c", "sup_clrm": ["rgb", "color_temp"], "bri_scl": 254}"#,
            [
                (.setColor, ["hue": 33.3, "saturation": 71.2], #"c: {"state":"ON","color":{"r":255,"g":174,"b":73}}"#),
                (.setColor, ["temperature": 2700], #"c: {"state":"ON","color_temp":370}"#),
                (.setBrightness, 50, #"c: {"state":"ON","brightness":127}"#),
            ]),
        CommandRow(
            #"{"schema": "json", "cmd_t": "c", "sup_clrm": ["rgbw"]}"#,
            [
                (.setColor, ["hue": 33.3, "saturation": 71.2], #"c: {"state":"ON","color":{"r":255,"g":142,"b":0,"w":102}}"#)
            ]),
        CommandRow(
            #"{"schema": "json", "cmd_t": "c", "sup_clrm": ["rgbww"]}"#,
            [
                (.setColor, ["hue": 33.3, "saturation": 71.2], #"c: {"state":"ON","color":{"r":144,"g":93,"b":0,"c":255,"w":255}}"#)
            ]),
        CommandRow(
            #"{"schema": "json", "cmd_t": "c", "sup_clrm": ["xy"]}"#,
            [
                (.setColor, ["hue": 33.3, "saturation": 71.2], #"c: {"state":"ON","color":{"x":0.526,"y":0.405}}"#)
            ]),
        CommandRow(
            #"{"schema": "json", "cmd_t": "c", "sup_clrm": ["color_temp"], "clr_temp_k": true}"#,
            [
                (.setColor, ["temperature": 2700], #"c: {"state":"ON","color_temp":2700}"#),
                (.setColor, ["hue": 33.3, "saturation": 71.2], #"c: {"state":"ON","color_temp":1962}"#),
            ]),
        CommandRow(
            #"{"schema": "json", "cmd_t": "c", "sup_clrm": ["rgb", "white"], "whit_scl": 100}"#,
            [
                (.setColor, ["white": 50], #"c: {"state":"ON","white":50}"#),
                (.setColor, ["white": 0.5], #"c: {"state":"ON","white":1}"#),
            ]),
        CommandRow(
            #"{"schema": "json", "cmd_t": "c", "brightness": true, "bri_scl": 99, "effect": true, "fx_list": ["a \"b\""]}"#,
            [
                (.setBrightness, 1, #"c: {"state":"ON","brightness":1}"#),
                (.setEffect, "a \"b\"", #"c: {"state":"ON","effect":"a \"b\""}"#),
            ]),
    ]

    @Test("Commands of a JSON light match", arguments: byJSON)
    func json(_ row: CommandRow) throws { try row.check("light") }

    @Test("A template light is sent only the changed values")
    func template() throws {
        let light = try MappingFixture.entity(
            "light",
            #"""
            {"schema": "template", "cmd_t": "c", "stat_t": "s", "cmd_on_tpl":
            "on{% if brightness is defined %} b{{ brightness }}{% endif %}{% if red is defined %} {{ red }},{{ green }},{{ blue }} {{ hue }}{% endif %}{% if color_temp is defined %} t{{ color_temp }}{% endif %}{% if transition is defined %} x{{ transition }}{% endif %}",
            "cmd_off_tpl": "off {{ state }}", "stat_tpl": "{{ value.split(',')[0] }}", "bri_tpl": "{{ value.split(',')[1] }}",
            "r_tpl": "{{ value.split(',')[2] }}", "g_tpl": "{{ value.split(',')[3] }}", "b_tpl": "{{ value.split(',')[4] }}",
            "clr_temp_tpl": "{{ value.split(',')[5] }}"}
            """#)
        func told(_ verb: Verb, _ value: JSONValue? = nil, transition: Double? = nil) -> [String]? {
            light.mapping.commandMessages(for: verb, value: value, transition: transition, code: nil, in: EntityState())?.map(\.payload)
        }

        #expect(told(.on, transition: 2) == ["on x2.0"])
        #expect(told(.off) == ["off False"])
        #expect(told(.setBrightness, 10) == ["on b26"])
        #expect(told(.setBrightness, 0) == ["off False"])
        #expect(told(.setColor, ["hue": 33.3, "saturation": 71.2]) == ["on 255,174,73 33.3"])
        #expect(told(.setColor, ["temperature": 2700]) == ["on t370"])
        let states = MappingFixture.states(
            light, [("s", "on,51,255,128,0,"), ("s", "off,0,None,None,None,250"), ("s", "None,x,,,,"), ("s", "maybe")])
        #expect(states.map { $0?.value } == ["on", "off", "unknown", nil])
        #expect(states[0]?.attributes["brightness"] == 20)
        #expect(states[0]?.attributes["color"] == ["hue": 30.1, "saturation": 100])
        #expect(states[1]?.attributes["color"] == ["temperature": 4000])
        #expect(states[1]?.attributes["supported_color_modes"] == ["hs", "color_temp"])
    }

    @Test("A template light without its templates gets no command, and the error says how to fix that")
    func missingTemplates() throws {
        let light = try MappingFixture.entity("light", #"{"schema": "template", "cmd_t": "c", "cmd_on_tpl": "on"}"#)

        #expect(light.mapping.verbs.isEmpty)
        #expect(light.notice?.contains("command_off_template") == true)
    }

    @Test("A JSON light is sent the transition for on and off")
    func transition() throws {
        let light = try MappingFixture.entity("light", #"{"schema": "json", "cmd_t": "c", "brightness": true}"#)
        func told(_ verb: Verb, _ value: JSONValue? = nil, _ transition: Double) -> String? {
            light.mapping.commandMessages(for: verb, value: value, transition: transition, code: nil, in: EntityState())?.first?.payload
        }

        #expect(told(.on, nil, 2) == #"{"state":"ON","transition":2.0}"#)
        #expect(told(.off, nil, 1.5) == #"{"state":"OFF","transition":1.5}"#)
        #expect(told(.setBrightness, 40, 3) == #"{"state":"ON","transition":3.0,"brightness":102}"#)
        #expect(told(.setBrightness, 0, 3) == #"{"state":"OFF","transition":3.0}"#)
    }
}
