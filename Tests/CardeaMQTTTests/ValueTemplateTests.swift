import CardeaModel
import Testing

@testable import CardeaMQTT

@Suite("Value templates")
struct ValueTemplateTests {
    private static let message = #"{"a": {"b": [{"c": "UP"}, 7.256]}, "n": 21.5, "t": true, "z": null, "e": "", "odd key": 1}"#

    private func rendered(_ template: String, payload: [UInt8] = Array(message.utf8)) throws -> String? {
        StateTopic(topic: "t", template: try ValueTemplate(template)).text(in: IncomingMessage(topic: "t", payload: payload))
    }

    @Test(
        "A template gets the message as text and as JSON",
        arguments: [
            ("{{ value }}", message), ("{{ value_json.a.b[0]['c'] | lower }}", "up"), ("{{ value_json.n }}", "21.5"),
            ("{{ value_json.t }}", "True"), ("{{ value_json.z }}", "None"), ("{{ value_json['odd key'] }}", "1"),
            ("{{ 'ON' if value_json.t else 'OFF' }}", "ON"),
        ])
    func given(template: String, expected: String) throws {
        #expect(try rendered(template) == expected)
    }

    @Test(
        "A template gives no value for missing or mistyped values and for messages that are no text",
        arguments: ["{{ value_json.missing }}", "{{ value_json.e | float }}", "{{ value_json.a.b[0].c | round(1) }}"])
    func missing(template: String) throws {
        #expect(try rendered(template) == nil)
        #expect(try rendered(template, payload: [0xFF, 0xFE]) == nil)
    }

    @Test(
        "A message without the template's value is kept as is, except for readings",
        arguments: ["{{ value_json.missing | is_defined }}", "{{ value_json.missing.more }}"])
    func undefined(template: String) throws {
        let reading = StateTopic(topic: "t", template: try ValueTemplate(template))
        let heard = IncomingMessage(topic: "t", payload: Array("online".utf8))

        #expect(reading.text(in: heard) == "online")
        #expect(reading.strictText(in: heard) == nil)
        #expect(reading.text(in: IncomingMessage(topic: "t", payload: [0xFF, 0xFE])) == nil)
    }

    @Test("A template sees its entity's name and last state, and a cover's template its position range")
    func variables() throws {
        let sensor = try MappingFixture.entity(
            "sensor", #"{"name": "Main", "stat_t": "s", "val_tpl": "{{ name }} {{ value_json.a | default(this.state) }}"}"#)
        let cover = try MappingFixture.entity(
            "cover", #"{"pos_t": "p", "pos_open": 40, "pos_tpl": "{{ (value | float) * (position_open - position_closed) }}"}"#)
        let lock = try MappingFixture.entity("lock", #"{"name": "Main", "cmd_t": "c", "cmd_tpl": "{{ name }}: {{ value }}"}"#)

        #expect(MappingFixture.values(sensor, "s", [#"{"a": 1}"#, "{}"]) == ["Main 1", "Main Main 1"])
        #expect(MappingFixture.state(cover, [("p", "0.5")]).attributes["position"] == 50)
        #expect(
            lock.mapping.commandMessages(for: .lock, value: nil, transition: nil, in: EntityState())
                == [CommandMessage(topic: "c", payload: "Main: LOCK")])
    }
}
