import CardeaModel
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("States of sensors")
struct SensorStateMappingTests {
    @Test(
        "Numbers keep their digits, and non-numbers are unknown or ignored",
        arguments: [
            ("21.50", "21.50"), ("1e3", "1e3"), ("nan", "unknown"), ("-inf", "unknown"), ("None", "unknown"), ("unknown", "unknown"),
            ("unavailable", "unknown"), ("warm", nil), ("", nil), ("0x1A", nil),
        ] as [(String, String?)])
    func numbers(said: String, value: String?) throws {
        for trait in [#""unit_of_meas": "lx""#, #""stat_cla": "measurement""#, #""sug_dsp_prc": 1"#, #""dev_cla": "pressure""#] {
            let sensor = try MappingFixture.entity("sensor", #"{"stat_t": "s", \#(trait)}"#)
            #expect(MappingFixture.values(sensor, "s", [said]) == [value])
        }
    }

    @Test("An empty text ends a press, so three presses are counted")
    func presses() throws {
        let sensor = try MappingFixture.entity("sensor", #"{"stat_t": "s", "val_tpl": "{{ value_json.action }}"}"#)
        let texts = [#"{"action": "single"}"#, #"{"action": ""}"#, #"{"action": "single"}"#, #"{"battery": 90}"#, "{}", "no JSON"]

        #expect(MappingFixture.values(sensor, "s", texts) == ["single", "unknown", "single", "unknown", "unknown", nil])
    }

    @Test("An enum sensor accepts only its options and lists them")
    func options() throws {
        let sensor = try MappingFixture.entity("sensor", #"{"stat_t": "s", "dev_cla": "enum", "ops": ["idle", "busy"]}"#)
        let states = MappingFixture.states(sensor, [("s", "idle"), ("s", "gone"), ("s", ""), ("s", "busy"), ("s", "None")])

        #expect(states.map { $0?.value } == ["idle", nil, nil, "busy", "unknown"])
        #expect(states[0]?.attributes == ["options": ["idle", "busy"]])
    }

    @Test(
        "Dates and times are formatted as in Home Assistant",
        arguments: [
            ("timestamp", "2026-11-28T20:11:05.123+01:00", "2026-11-28T19:11:05+00:00"),
            ("timestamp", "20261128T201105Z", "2026-11-28T20:11:05+00:00"),
            ("timestamp", "2026-03-01T00:30:00-05", "2026-03-01T05:30:00+00:00"),
            ("timestamp", "2026-11-28T20:11:05", nil), ("timestamp", "soon", "unknown"), ("timestamp", "2026-02-30T00:00:00Z", "unknown"),
            ("date", "2026-11-28", "2026-11-28"), ("date", "2024-02-29 10:00", "2024-02-29"), ("date", "x", "unknown"),
        ] as [(String, String, String?)])
    func times(deviceClass: String, said: String, value: String?) throws {
        let sensor = try MappingFixture.entity("sensor", #"{"stat_t": "s", "dev_cla": "\#(deviceClass)"}"#)

        #expect(MappingFixture.values(sensor, "s", [said]) == [value])
    }

    @Test("A meter reports its last reset and its display precision")
    func lastReset() throws {
        let sensor = try MappingFixture.entity(
            "sensor",
            #"""
            {"stat_t": "s", "stat_cla": "total", "unit_of_meas": "m³", "sug_dsp_prc": 2, "val_tpl": "{{ value_json.v }}",
            "lrst_val_tpl": "{{ value_json.r }}"}
            """#)
        let states = MappingFixture.states(
            sensor, [("s", #"{"v": 5, "r": "2026-11-28T00:00:00+01:00"}"#), ("s", #"{"v": 6}"#), ("s", #"{"v": 7, "r": "x"}"#)])

        #expect(states.map { $0?.value } == ["5", "6", "7"])
        #expect(states.allSatisfy { $0?.attributes["last_reset"] == "2026-11-28T00:00:00+01:00" })
        #expect(states[2]?.attributes["state_class"] == "total")
        #expect(states[2]?.attributes["suggested_display_precision"] == 2)
    }

    @Test("An oversized text is unknown")
    func long() throws {
        let sensor = try MappingFixture.entity("sensor", #"{"stat_t": "s"}"#)

        #expect(MappingFixture.values(sensor, "s", [String(repeating: "x", count: 255)]) == [String(repeating: "x", count: 255)])
        #expect(MappingFixture.values(sensor, "s", [String(repeating: "x", count: 256)]) == ["unknown"])
    }

    @Test("A sensor with an off delay turns off after it")
    func offDelay() throws {
        let sensor = try MappingFixture.entity("binary_sensor", #"{"stat_t": "s", "off_dly": 5}"#)

        #expect(MappingFixture.values(sensor, "s", ["ON", "OFF", "None", "", " ", "on"]) == ["on", "off", "unknown", nil, nil, nil])
        #expect(sensor.mapping.delayedReset(of: EntityState("on")) == DelayedReset(seconds: 5, value: "off"))
        #expect(sensor.mapping.delayedReset(of: EntityState("off")) == nil)
        #expect(try MappingFixture.entity("binary_sensor", #"{"stat_t": "s"}"#).mapping.delayedReset(of: EntityState("on")) == nil)
        #expect(sensor.notice == nil)
    }

    @Test("A time is written in UTC with milliseconds")
    func moments() {
        #expect(Timestamp.text(of: Date(timeIntervalSince1970: 1_796_000_000.25)) == "2026-11-30T00:53:20.250Z")
        #expect(Timestamp.text(of: Date(timeIntervalSince1970: -0.001)) == "1969-12-31T23:59:59.999Z")
        #expect(Timestamp.text(of: .distantFuture).hasPrefix("4001-01-01T"))
    }
}
