import CardeaModel
import Testing

@testable import CardeaMQTT

@Suite("States of covers, fans, thermostats and valves")
struct StateMappingTests {
    @Test("One template reads position and tilt from one JSON message")
    func coverJSON() throws {
        let cover = try MappingFixture.entity(
            "cover",
            #"""
            {"cmd_t": "c", "pos_t": "s", "set_pos_t": "sp", "pos_tpl":
            "{{ {'position': value_json.p, 'tilt_position': value_json.t} | tojson }}"}
            """#)
        let states = MappingFixture.states(cover, [("s", #"{"p": 50, "t": 30}"#), ("s", #"{"p": 0, "t": 100}"#), ("s", #"{"t": 5}"#)])

        #expect(states.map { $0?.value } == ["open", "closed", nil])
        #expect(states.map { $0?.attributes["position"] } == [50, 0, nil])
        #expect(states.map { $0?.attributes["tilt"] } == [30, 100, nil])
        #expect(cover.mapping.reports(.setPosition) && cover.mapping.reports(.setTilt))
    }

    @Test("A tilt is read in its own range, and one outside it is ignored", arguments: [(-90.0, 90.0), (90, -90)])
    func tilt(lowest: Double, highest: Double) throws {
        let cover = try MappingFixture.entity(
            "cover", #"{"tilt_cmd_t": "c", "tilt_status_t": "t", "tilt_min": \#(Int(lowest)), "tilt_max": \#(Int(highest))}"#)
        let states = MappingFixture.states(cover, [("t", String(lowest)), ("t", "0.4"), ("t", String(highest)), ("t", "200"), ("t", "x")])

        #expect(states.map { $0?.attributes["tilt"] } == [0, 50, 100, nil, nil])
    }

    @Test("A position is rounded down, bounded, and gives the state if the cover has no state topic")
    func position() throws {
        let cover = try MappingFixture.entity("cover", #"{"pos_t": "p", "pos_open": 255}"#)
        let states = MappingFixture.states(cover, [("p", "77.7"), ("p", "300"), ("p", "-5"), ("p", "nan"), ("p", "x"), ("p", "None")])

        #expect(states.map { $0?.value } == ["open", "open", "closed", nil, nil, nil])
        #expect(states.map { $0?.attributes["position"] } == [30, 100, 0, nil, nil, nil])
    }

    @Test("A cover that reports only `stopped` takes its state from its last direction")
    func stopped() throws {
        let cover = try MappingFixture.entity("cover", #"{"cmd_t": "c", "stat_t": "s", "stat_stopped": "halt"}"#)

        #expect(
            MappingFixture.values(cover, "s", ["closing", "halt", "opening", "halt", "closed", "halt", "None", "halt", "?"])
                == ["closing", "closed", "opening", "open", "closed", "closed", "unknown", "open", nil])
    }

    @Test("A cover with only a tilt command is stopped by it")
    func stopTilt() throws {
        let cover = try MappingFixture.entity("cover", #"{"tilt_cmd_t": "t", "tilt_cmd_tpl": "x{{ value }}", "pl_stop_tilt": "HALT"}"#)
        let none = try MappingFixture.entity("cover", #"{"tilt_cmd_t": "t", "pl_stop_tilt": null}"#)

        #expect(
            cover.mapping.commandMessages(for: .stop, value: nil, transition: nil, in: EntityState()) == [
                CommandMessage(topic: "t", payload: "HALT")
            ])
        #expect(none.mapping.verbs == [.setTilt])
    }

    @Test("A fan reports speed, preset, direction and oscillation")
    func fan() throws {
        let fan = try MappingFixture.entity(
            "fan",
            #"""
            {"cmd_t": "c", "stat_t": "s", "pct_cmd_t": "x", "pct_stat_t": "p", "spd_rng_min": 10, "spd_rng_max": 20, "pr_mode_cmd_t": "x",
            "pr_mode_stat_t": "m", "pr_modes": ["auto", "eco"], "pl_rst_pr_mode": "reset", "osc_cmd_t": "x", "osc_stat_t": "o",
            "dir_cmd_t": "x", "dir_stat_t": "d"}
            """#)

        #expect(fan.mapping.initialState.attributes == ["preset_modes": ["auto", "eco"], "oscillating": false])
        let speeds = MappingFixture.states(fan, ["10", "15", "20", "21", "5", "15.0", "None"].map { ("p", $0) })
        #expect(speeds.map { $0?.attributes["percentage"] } == [9, 54, 100, nil, nil, nil, nil])
        #expect(speeds.last != .some(nil), "a speed that is reset is told")
        let presets = MappingFixture.states(fan, ["auto", "turbo", "reset"].map { ("m", $0) })
        #expect(presets.map { $0?.attributes["preset_mode"] } == ["auto", nil, nil])
        let swings = MappingFixture.states(fan, ["oscillate_on", "?", "oscillate_off"].map { ("o", $0) })
        #expect(swings.map { $0?.attributes["oscillating"] } == [true, nil, false])
        #expect(MappingFixture.state(fan, [("d", "reverse")]).attributes["direction"] == "reverse")
        #expect(MappingFixture.values(fan, "s", ["ON", "OFF", "None", "", "?"]) == ["on", "off", "unknown", nil, nil])
    }

    @Test("A thermostat reports target or range, action, preset and humidity")
    func climate() throws {
        let climate = try MappingFixture.entity(
            "climate",
            #"""
            {"mode_stat_t": "m", "modes": ["off", "heat", "turbo"], "temp_stat_t": "t", "temp_lo_stat_t": "l", "temp_hi_stat_t": "h",
            "curr_temp_t": "ct", "curr_hum_t": "ch", "act_t": "a", "pr_mode_cmd_t": "x", "pr_mode_stat_t": "p", "pr_modes": ["eco"]}
            """#)
        let states = MappingFixture.states(
            climate,
            [
                ("t", "21.04"), ("t", "x"), ("t", "None"), ("l", "18"), ("h", "25.25"), ("ct", "19.87"), ("ch", "45.5"), ("a", "heating"),
                ("a", "melting"), ("a", "None"), ("p", "eco"), ("p", "turbo"), ("p", "None"),
            ])

        #expect(states.map { $0?.attributes["target_temperature"] }.prefix(3) == [21, nil, nil])
        #expect(states[2] != nil && states[1] == nil)
        #expect(states[4]?.attributes["target_temperature_low"] == 18)
        #expect(states[4]?.attributes["target_temperature_high"] == 25.2)
        #expect(states[6]?.attributes["current_temperature"] == 19.9)
        #expect(states[6]?.attributes["current_humidity"] == 45.5)
        #expect(states.map { $0?.attributes["action"] }[7...9] == ["heating", nil, nil])
        #expect(states.map { $0?.attributes["preset_mode"] }[10...] == ["eco", nil, "none"])
        #expect(
            climate.mapping.initialState.attributes == [
                "hvac_modes": ["off", "heat"], "preset_modes": ["none", "eco"], "preset_mode": "none",
            ])
    }

    @Test("A thermostat rounds to its precision and uses the common template where it has no other")
    func climateTemplates() throws {
        let halves = try MappingFixture.entity("climate", #"{"temp_stat_t": "t", "precision": 0.5, "val_tpl": "{{ value_json.v }}"}"#)
        let whole = try MappingFixture.entity("climate", #"{"temp_stat_t": "t", "precision": 1.0, "temp_unit": "F"}"#)

        #expect(MappingFixture.state(halves, [("t", #"{"v": 20.3}"#)]).attributes["target_temperature"] == 20.5)
        #expect(MappingFixture.state(whole, [("t", "70.33")]).attributes["target_temperature"] == 21)
    }

    @Test("A valve reports a state, or position and movement, as plain text or JSON")
    func valve() throws {
        let plain = try MappingFixture.entity("valve", #"{"cmd_t": "c", "stat_t": "s", "stat_open": "auf"}"#)
        let positioned = try MappingFixture.entity("valve", #"{"cmd_t": "c", "stat_t": "s", "pos": true, "pos_open": 0, "pos_clsd": 255}"#)

        #expect(
            MappingFixture.values(plain, "s", ["auf", "closing", "closed", #"{"state": "opening"}"#, #"{"position": 1}"#, "None", "open"])
                == ["open", "closing", "closed", "opening", nil, "unknown", nil])
        let states = MappingFixture.states(
            positioned,
            [
                ("s", "128"), ("s", "opening"), ("s", "100"), ("s", "0"), ("s", #"{"state": "closing", "position": 51}"#),
                ("s", #"{"position": 255}"#), ("s", #"{"state": "opening"}"#), ("s", "x"), ("s", "None"),
            ])
        #expect(states.map { $0?.value } == ["open", "opening", "opening", "open", "closing", "closed", nil, nil, "unknown"])
        #expect(states.map { $0?.attributes["position"] } == [49, 49, 60, 100, 80, 0, nil, nil, nil])
    }
}
