import CardeaModel
import CardeaTemplates
import Testing

@Suite("JSON template variables")
struct JSONVariableTests {
    private func isRead(_ text: String) -> Bool {
        var variables = TemplateVariables()
        return variables.read(json: text.utf8, as: "value_json")
    }

    private func render(_ source: String, _ json: String) throws -> String {
        var variables = TemplateVariables()
        let isRead = variables.read(json: json.utf8, as: "value_json")
        try #require(isRead)
        return try Template(source).render(variables, at: TemplateTable.now, in: TemplateTable.zone)
    }

    private func nested(_ count: Int, _ opening: String, _ closing: String) -> String {
        String(repeating: opening, count: count) + "1" + String(repeating: closing, count: count)
    }

    @Test(
        "Integers and floats are distinct",
        arguments: [
            ("21", "21"), ("21.0", "21.0"), ("-0", "0"), ("-0.0", "-0.0"), ("123456789012345", "123456789012345"),
            ("-1234567890123456", "-1234567890123456"), ("9223372036854775807", "9223372036854775807"),
            ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775808", "9.223372036854776e+18"), ("1e2", "100.0"),
            ("18.50", "18.5"),
        ])
    func numbers(json: String, text: String) throws {
        #expect(try render("{{ value_json }}", json) == text)
        #expect(try render("{{ value_json.x }}", "{\"x\": \(json)}") == text)
    }

    @Test("Members keep their order, and the last of two equal names counts")
    func order() throws {
        #expect(try render("{{ value_json.keys() | join }}", #"{"z": 1, "a": 2, "m": 3}"#) == "zam")
        #expect(try render("{{ value_json | to_json }}", #"{"z": 1, "a": 2, "z": 3}"#) == #"{"z":3,"a":2}"#)
    }

    @Test("Escapes are decoded to their characters")
    func escapes() throws {
        #expect(try render("{{ value_json }}", #""\"\\\/ B\u00fcro \ud83d\ude00""#) == "\"\\/ Büro \u{1F600}")
    }

    @Test(
        "Invalid JSON is refused",
        arguments: [
            "", "nul", "{", "NaN", "1e999", "01", "1.", "+1", "[1] x", "[1,]", "{'a': 1}", "{\"a\" 1}", #""\ud83d""#, #""\x""#, "\"a",
            "\"a\nb\"",
        ])
    func broken(text: String) {
        #expect(!isRead(text))
    }

    @Test("Objects and lists are parsed to a depth of 64, a plain JSON value to 32", arguments: [("[", "]"), ("{\"a\":", "}")])
    func depth(opening: String, closing: String) {
        #expect(isRead(nested(64, opening, closing)))
        #expect(!isRead(nested(65, opening, closing)))
        #expect(!isRead(nested(100_000, opening, closing)))
        #expect(JSONValue.read(Array(nested(32, opening, closing).utf8)) != nil)
        #expect(JSONValue.read(Array(nested(33, opening, closing).utf8)) == nil)
    }

    @Test("A list or an object has at most 10 000 elements")
    func size() {
        func list(_ count: Int) -> String { "[\(Array(repeating: "1", count: count).joined(separator: ","))]" }
        func object(_ count: Int) -> String { "{\((0..<count).map { "\"k\($0)\":1" }.joined(separator: ","))}" }
        #expect(isRead(list(10_000)) && isRead(object(10_000)))
        #expect(!isRead(list(10_001)) && !isRead(object(10_001)))
    }

    @Test("A failed parse leaves the variable unchanged")
    func failed() {
        var variables = TemplateVariables(["value_json": "before"])
        let isRead = variables.read(json: "{".utf8, as: "value_json")
        #expect(!isRead)
        #expect(variables["value_json"] == "before")
    }
}
