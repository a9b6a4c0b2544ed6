import CardeaModel
import Testing

@testable import CardeaMQTT

@Suite("Templates of announcements")
struct TemplateTests {
    private static let message = #"{"a": {"b": [{"c": "UP"}, 7.256]}, "n": 21.5, "t": true, "z": null, "e": "", "odd key": 1}"#

    private func said(_ template: String, payload: [UInt8] = Array(message.utf8)) throws -> String? {
        Reading(topic: "t", template: try ValueTemplate(template)).text(in: Heard(topic: "t", payload: payload))
    }

    @Test(
        "A template is given the message as text and as JSON",
        arguments: [
            ("{{ value }}", message), ("{{ value_json.a.b[0]['c'] | lower }}", "up"), ("{{ value_json.n }}", "21.5"),
            ("{{ value_json.t }}", "True"), ("{{ value_json.z }}", "None"), ("{{ value_json['odd key'] }}", "1"),
            ("{{ 'ON' if value_json.t else 'OFF' }}", "ON"),
        ])
    func given(template: String, expected: String) throws {
        #expect(try said(template) == expected)
    }

    @Test(
        "A template says nothing where a value is missing or of the wrong kind, or where the message is no text",
        arguments: ["{{ value_json.missing }}", "{{ value_json.e | float }}", "{{ value_json.a.b[0].c | round(1) }}"])
    func missing(template: String) throws {
        #expect(try said(template) == nil)
        #expect(try said(template, payload: [0xFF, 0xFE]) == nil)
    }

    @Test(
        "A message without the value that a template needs stays as it is, but for readings that take no such message",
        arguments: ["{{ value_json.missing | is_defined }}", "{{ value_json.missing.more }}"])
    func undefined(template: String) throws {
        let reading = Reading(topic: "t", template: try ValueTemplate(template))
        let heard = Heard(topic: "t", payload: Array("online".utf8))

        #expect(reading.text(in: heard) == "online")
        #expect(reading.strictText(in: heard) == nil)
        #expect(reading.text(in: Heard(topic: "t", payload: [0xFF, 0xFE])) == nil)
    }

    @Test("A template knows its entity's name and last state, and a cover's template the ends of its range")
    func variables() throws {
        let sensor = try WiringBench.entity(
            "sensor", #"{"name": "Main", "stat_t": "s", "val_tpl": "{{ name }} {{ value_json.a | default(this.state) }}"}"#)
        let cover = try WiringBench.entity(
            "cover", #"{"pos_t": "p", "pos_open": 40, "pos_tpl": "{{ (value | float) * (position_open - position_closed) }}"}"#)
        let lock = try WiringBench.entity("lock", #"{"name": "Main", "cmd_t": "c", "cmd_tpl": "{{ name }}: {{ value }}"}"#)

        #expect(WiringBench.values(sensor, "s", [#"{"a": 1}"#, "{}"]) == ["Main 1", "Main Main 1"])
        #expect(WiringBench.state(cover, [("p", "0.5")]).attributes["position"] == 50)
        #expect(
            lock.wiring.telegrams(for: .lock, value: nil, transition: nil, in: EntityState())
                == [Telegram(topic: "c", payload: "Main: LOCK")])
    }
}
