import CardeaModel
import CardeaTemplates
import Foundation
import Testing

@Suite("Errors and limits of templates")
struct TemplateErrorTests {
    private func render(_ source: String, _ variables: [String: JSONValue] = [:]) throws(TemplateError) -> String {
        try Template(source).render(variables, at: TemplateTable.now, in: TemplateTable.zone)
    }

    @Test(
        "An error has a name and a sentence",
        arguments: [
            ("{{ 5 | nothing }}", TemplateError.unknown(.filter, "nothing")), ("{{ 5 is nothing }}", .unknown(.test, "nothing")),
            ("{{ md5('a') }}", .unknown(.function, "md5")), ("{{ 'a'.encode() }}", .unknown(.method, "encode")),
            ("{% macro x() %}{% endmacro %}", .unknown(.statement, "macro")), ("{{ states('lock.x') }}", .otherEntity("states")),
            ("{{ 'lock.x' | states }}", .otherEntity("states")), ("{{ 'lock.x' is is_state('on') }}", .otherEntity("is_state")),
            ("{{ state_attr('lock.x', 'a') if value else 1 }}", .otherEntity("state_attr")),
            ("{{ value_json.x | is_defined }}", .undefined("'value_json' is undefined")),
            ("{{ nothing() }}", .undefined("'nothing' is undefined")),
            ("{{ 1 / 0 }}", .divisionByZero), ("a\n{{ 1 + }}", .syntax("unexpected }}", line: 2)),
            ("{{ 'a' + 1 }}", .type("add does not take str and int")),
            ("{{ 'x' | float }}", .value("float got no number and has no default: x")),
        ])
    func names(source: String, expected: TemplateError) {
        #expect(throws: expected) { try render(source) }
        #expect(!expected.description.isEmpty)
    }

    @Test(
        "An exceeded limit is a named error",
        arguments: [
            ("{{ 'x' * 10**9 }}", TemplateError.Limit.text), ("{{ 10 ** 10000 }}", .number), ("{{ 9223372036854775807 + 1 }}", .number),
            ("{{ -9223372036854775807 - 2 }}", .number), ("{{ (-9223372036854775807 - 1) // -1 }}", .number),
            ("{{ 9223372036854775808 }}", .number), ("{{ '9999999999999999999' | int }}", .number), ("{{ 1e300 | int }}", .number),
            ("{{ 2.0 ** 5000 }}", .number), ("{{ [1] * 100000 }}", .text), ("{{ range(1000000) }}", .text),
            ("{{ 'ab'.replace('', 'x' * 200000) }}", .text), ("{{ 'a'.zfill(999999999) }}", .text), ("{{ '%999999d' % 1 }}", .text),
            ("{{ '{:999999}'.format(1) }}", .text), ("{% for i in range(2000) %}{{ i }}{% endfor %}", .rounds),
            ("{% for i in range(900) %}{% for j in range(900) %}{% endfor %}{% endfor %}", .rounds),
            ("{% for i in range(900) %}{{ i + i + i + i + i + i + i + i }}{% endfor %}", .steps),
            ("{% set x = 'x' * 200000 %}{{ x }}{{ x }}", .output),
            ("{{ ('a' * 4000) | regex_replace('(a+)+b', '') }}", .pattern),
            ("{% set ns = namespace(x=[]) %}{% for i in range(100) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}", .depth),
            ("{{ 'x' | regex_search('" + String(repeating: "(", count: 60) + "') }}", .pattern),
            ("{{ 'x' | regex_search('((x{900}){900}){900}') }}", .pattern),
        ])
    func bounds(source: String, limit: TemplateError.Limit) {
        #expect(throws: TemplateError.limit(limit)) { try render(source) }
        #expect(!limit.description.isEmpty)
    }

    @Test(
        "Too deep nesting is refused at compilation",
        arguments: [
            ("(", "1", ")"), ("[", "", "]"), ("{'a':", "1", "}"), ("-", "1", ""), ("not ", "1", ""), ("", "1", "+1"), ("", "1", "|abs"),
            ("", "x", ".x"),
            ("", "x", "[x]"), ("", "x", "()"), ("", "1", " if 1 else 1"), ("", "'a'", ".lower()"), ("x[", "1", "]"), ("f(", "1", ")"),
            ("1 if ", "1", ""),
        ])
    func depth(before: String, middle: String, after: String) {
        let count = 30_000 / (before.utf8.count + after.utf8.count)
        let expression = String(repeating: before, count: count) + middle + String(repeating: after, count: count)
        #expect(throws: TemplateError.limit(.depth)) { try Template("{{ \(expression) }}") }
    }

    @Test("The depth of statements and the source length are limited")
    func sources() throws {
        let deep = String(repeating: "{% if 1 %}", count: 100) + "x" + String(repeating: "{% endif %}", count: 100)
        #expect(throws: TemplateError.limit(.depth)) { try Template(deep) }
        #expect(throws: TemplateError.limit(.source)) { try Template(String(repeating: "x", count: 32 * 1024 + 1)) }
        let chain = "1" + String(repeating: " and 1", count: 1_000)
        #expect(try render("{{ \(chain) }}") == "1")
    }

    @Test("A path into a large message costs no steps")
    func largeMessages() throws {
        let list = JSONValue.array((0..<50_000).map { .number(Double($0)) })
        #expect(try render("{{ value_json.a.b[2] }}", ["value_json": ["a": ["b": list]]]) == "2")
        #expect(throws: TemplateError.limit(.text)) { try render("{{ value_json.a }}", ["value_json": ["a": list]]) }
        #expect(throws: TemplateError.limit(.text)) {
            try render("{{ value }}", ["value": .string(String(repeating: "x", count: 300_000))])
        }
    }

    @Test("A text without template tags is plain")
    func plain() throws {
        #expect(Template.isPlain("ON") && Template.isPlain("{ \"a\": {} }") && Template.isPlain("{"))
        #expect(!Template.isPlain("{{ value }}") && !Template.isPlain("a{% b") && !Template.isPlain("{# note #}"))
        #expect(try render(" plain }} ") == "plain }}")
    }

    @Test(
        "A dash in a tag trims white space",
        arguments: [
            ("a {{- 1 -}} b", "a1b"), ("a {{ 1 }} b", "a 1 b"), ("a\n{%- if true %}\n b {% endif -%}\n c", "a\n b c"),
            ("a {#- n -#} b", "ab"),
            ("{% raw -%} {{ x }} {%- endraw %}", "{{ x }}"), ("a {%+ if true +%} b {%+ endif +%} c", "a  b  c"),
            ("x\r\ny{{ '\\n' }}z", "x\ny\nz"),
        ])
    func whiteSpace(source: String, expected: String) throws {
        #expect(try render(source) == expected)
    }

    @Test("A compiled template can be rendered repeatedly")
    func reuse() throws {
        let template = try Template("{{ value_json.temperature | float | round(1) }}")
        for number in [1.25, 21.46, -3] {
            let text = try template.render(["value_json": ["temperature": .number(number)]], at: TemplateTable.now, in: TemplateTable.zone)
            #expect(text == (number == 1.25 ? "1.2" : number == -3 ? "-3.0" : "21.5"))
        }
        #expect(template == (try Template(template.source)))
    }

    @Test("A JSON text variable keeps its numbers and member order")
    func variables() throws {
        var variables = TemplateVariables(["value": "x"])
        let isRead = variables.read(json: #"{"b": 21.0, "a": 1}"#.utf8, as: "value_json")
        #expect(isRead)
        let template = try Template("{{ value_json }}{{ value }}")
        #expect(try template.render(variables, at: TemplateTable.now, in: TemplateTable.zone) == "{'b': 21.0, 'a': 1}x")
        let isBrokenRead = variables.read(json: "{".utf8, as: "other")
        #expect(!isBrokenRead)
        variables["value_json"] = .null
        #expect(try template.render(variables, at: TemplateTable.now, in: TemplateTable.zone) == "Nonex")
    }
}
