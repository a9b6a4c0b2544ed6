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
        "A template says nothing where a value is missing, or where the message is no text",
        arguments: [
            "{{ value_json.missing }}", "{{ value_json.missing | is_defined }}", "{{ value_json.missing.more }}",
            "{{ value_json.e | float }}",
            "{{ value_json.a.b[0].c | round(1) }}",
        ])
    func missing(template: String) throws {
        #expect(try said(template) == nil)
        #expect(try said(template, payload: [0xFF, 0xFE]) == nil)
    }
}
