import CardeaModel
import Testing

@testable import CardeaMQTT

@Suite("Value templates")
struct TemplateTests {
    private static let message = #"{"a": {"b": [{"c": "UP"}, 7.256]}, "n": 21.0, "t": true, "z": null, "e": "", "odd key": 1}"#

    @Test(
        "A path into the message is followed",
        arguments: [
            ("{{ value }}", message), ("{{value}}", message), ("{{- value -}}", message),
            ("{{ value_json.a.b[0]['c'] }}", "UP"), ("{{ value_json.a.b[0].c | lower }}", "up"),
            (#"{{ value_json["a"]["b"][1] | round(1) }}"#, "7.3"), ("{{ value_json.a.b[1] | int }}", "7"),
            ("{{ value_json.n }}", "21"), ("{{ value_json.n | float }}", "21"), ("{{ value_json.t }}", "True"),
            ("{{ value_json.z }}", "None"), ("{{ value_json.missing | default('x') }}", "x"),
            ("{{ value_json.missing | float(0) }}", "0"), ("{{ value_json.e | default('y', true) }}", "y"),
            ("{{ value_json['odd key'] }}", "1"), ("{{ value_json.a.b[0].c | lower | upper | trim }}", "UP"),
        ])
    func paths(template: String, expected: String) throws {
        let template = try #require(ValueTemplate(template))

        #expect(template.text(in: Heard(topic: "t", payload: Array(Self.message.utf8))) == expected)
    }

    @Test(
        "What is not in the message says nothing",
        arguments: [
            "{{ value_json.missing }}", "{{ value_json.a.b[9] }}", "{{ value_json.a.b.c }}", "{{ value_json.e | float }}",
            "{{ value_json.a.b[0].c | round(1) }}", "{{ value_json.a }}",
        ])
    func missing(template: String) throws {
        let template = try #require(ValueTemplate(template))

        #expect(template.text(in: Heard(topic: "t", payload: Array(Self.message.utf8))) == nil)
        #expect(template.text(in: Heard(topic: "t", payload: [0xFF, 0xFE])) == nil)
    }

    @Test(
        "What computes is not read",
        arguments: [
            "{{ value | float / 10 }}", "{{ 'ON' if value == '1' else 'OFF' }}", "{% if value %}x{% endif %}", "{{ value }} {{ value }}",
            "{{ value_json.get('a') }}", "{{ states('lock.x') }}", "{{ value | regex_replace('a', 'b') }}", "value", "{{ }}", "{{ value",
            "{{ value_json[-1] }}", "{{ value_json[1.5] }}", "{{ value_json[99999999999999999999999] }}", "{{ value | round(99) }}",
            "{{ value_json.a.0 }}", "{{ value_json['a }}", "{{ value | default }}", "{{ value_json.𝔞 }}",
        ])
    func beyond(template: String) {
        #expect(ValueTemplate(template) == nil)
    }

    @Test("Only the plain value is sent")
    func commands() {
        #expect(CommandTemplate.isPlain("{{ value }}"))
        #expect(!CommandTemplate.isPlain("{{ value | lower }}"))
        #expect(!CommandTemplate.isPlain(#"{"state": "{{ value }}"}"#))
        #expect(!CommandTemplate.isPlain("{{ value_json }}"))
    }
}
