import CardeaModel
import Testing

@testable import CardeaMQTT

@Suite("Command payloads match Home Assistant byte for byte")
struct CommandMappingTests {
    private static let covers: [CommandRow] = [
        CommandRow(
            #"{"cmd_t": "c", "pos_t": "p", "set_pos_t": "sp", "pos_open": 0, "pos_clsd": 255}"#,
            [
                (.setPosition, 0, "sp: 255"),
                (.setPosition, 33, "sp: 171"),
                (.setPosition, 100, "sp: 0"),
                (.open, nil, "c: OPEN"),
                (.close, nil, "c: CLOSE"),
                (.stop, nil, "c: STOP"),
            ]),
        CommandRow(
            #"{"set_pos_t": "sp", "pos_t": "p", "set_pos_tpl": "{{ value }} {{ position }} {{ position_open }} {{ position_closed }}", "pos_open": 40}"#,
            [
                (.setPosition, 33, "sp: 13 33 40 0")
            ]),
        CommandRow(
            #"{"tilt_cmd_t": "t", "tilt_min": -90, "tilt_max": 90}"#,
            [
                (.setTilt, 0, "t: -90"),
                (.setTilt, 33, "t: -31"),
                (.setTilt, 100, "t: 90"),
            ]),
        CommandRow(
            #"{"tilt_cmd_t": "t", "tilt_cmd_tpl": "{{ value }} {{ tilt_position }} {{ tilt_max }}", "tilt_max": 0, "tilt_min": 60}"#,
            [
                (.setTilt, 25, "t: 45 25 0")
            ]),
        CommandRow(
            #"{"cmd_t": "c", "cmd_tpl": "{{ value }}!", "pl_open": "UP", "pl_cls": null}"#,
            [
                (.open, nil, "c: UP")
            ]),
    ]

    @Test("Cover commands match Home Assistant", arguments: covers)
    func cover(_ row: CommandRow) throws { try row.check("cover") }

    private static let fans: [CommandRow] = [
        CommandRow(
            #"{"cmd_t": "c", "cmd_tpl": "{{ value }}!", "pct_cmd_t": "p", "spd_rng_max": 3}"#,
            [
                (.on, nil, "c: ON!"),
                (.setPercentage, 0, "p: 0"),
                (.setPercentage, 34, "p: 2"),
                (.setPercentage, 100, "p: 3"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "pct_cmd_t": "p", "pct_cmd_tpl": "{{ value }}%", "spd_rng_min": 10, "spd_rng_max": 20}"#,
            [
                (.setPercentage, 0, "p: 9%"),
                (.setPercentage, 50, "p: 15%"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "pr_mode_cmd_t": "m", "pr_mode_cmd_tpl": "mode {{ value }}", "pr_modes": ["auto"], "osc_cmd_t": "o", "dir_cmd_t": "d", "dir_cmd_tpl": "{{ value | upper }}"}"#,
            [
                (.setPreset, "auto", "m: mode auto"),
                (.oscillate, true, "o: oscillate_on"),
                (.oscillate, false, "o: oscillate_off"),
                (.setDirection, "reverse", "d: REVERSE"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "osc_cmd_t": "o", "pl_osc_on": "yes", "pl_osc_off": "no"}"#,
            [
                (.oscillate, true, "o: yes"),
                (.oscillate, false, "o: no"),
            ]),
    ]

    @Test("Fan commands match Home Assistant", arguments: fans)
    func fan(_ row: CommandRow) throws { try row.check("fan") }

    private static let thermostats: [CommandRow] = [
        CommandRow(
            #"{"mode_cmd_t": "m", "temp_cmd_t": "t"}"#,
            [
                (.on, nil, "m: heat"),
                (.off, nil, "m: off"),
                (.setTemperature, 21, "t: 21.0"),
                (.setTemperature, 21.5, "t: 21.5"),
                (.setMode, "dry", "m: dry"),
            ]),
        CommandRow(
            #"{"mode_cmd_t": "m", "mode_cmd_tpl": "m={{ value }}", "modes": ["off", "auto"]}"#,
            [
                (.on, nil, "m: m=auto"),
                (.off, nil, "m: m=off"),
            ]),
        CommandRow(
            #"{"temp_cmd_t": "t", "temp_unit": "F", "min_temp": 45, "max_temp": 90}"#,
            [
                (.setTemperature, 20, "t: 68.0"),
                (.setTemperature, 21.5, "t: 70.7"),
            ]),
        CommandRow(
            #"{"temp_lo_cmd_t": "l", "temp_hi_cmd_t": "h", "temp_hi_cmd_tpl": "{\"high\": {{ value }}}"}"#,
            [
                (.setTemperature, ["low": 18, "high": 22.5], #"l: 18.0 | h: {"high": 22.5}"#)
            ]),
        CommandRow(
            #"{"pow_cmd_t": "p", "pow_cmd_tpl": "p{{ value }}", "pl_on": "1", "mode_cmd_t": "m"}"#,
            [
                (.on, nil, "p: p1"),
                (.off, nil, "p: pOFF"),
            ]),
        CommandRow(
            #"{"pr_mode_cmd_t": "p", "pr_modes": ["eco"]}"#,
            [
                (.setPreset, "eco", "p: eco"),
                (.setPreset, "none", "p: none"),
            ]),
    ]

    @Test("Thermostat commands match Home Assistant", arguments: thermostats)
    func climate(_ row: CommandRow) throws { try row.check("climate") }

    private static let valves: [CommandRow] = [
        CommandRow(
            #"{"cmd_t": "c", "pl_stop": "HALT"}"#,
            [
                (.open, nil, "c: OPEN"),
                (.close, nil, "c: CLOSE"),
                (.stop, nil, "c: HALT"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "pos": true, "pos_open": 0, "pos_clsd": 255}"#,
            [
                (.open, nil, "c: 0"),
                (.close, nil, "c: 255"),
                (.setPosition, 33, "c: 171"),
            ]),
        CommandRow(
            #"{"cmd_t": "c", "pos": true, "cmd_tpl": "{\"p\": {{ value }}, \"q\": {{ position }} }", "pos_open": 40}"#,
            [
                (.setPosition, 33, #"c: {"p": 13, "q": 33 }"#)
            ]),
    ]

    @Test("Valve commands match Home Assistant", arguments: valves)
    func valve(_ row: CommandRow) throws { try row.check("valve") }
}
