import CardeaModel
import Testing

@Suite("JSON that strangers send")
struct JSONReadingTests {
    private func read(_ text: String) -> JSONValue? { JSONValue.read(Array(text.utf8)) }

    @Test("A value is read as what it is")
    func kinds() {
        #expect(
            read(#"{"a": [null, true, false, 0, 1, -1.5, "x", "\u00e9", {}], "b": 1e3}"#)
                == ["a": [nil, true, false, 0, 1, -1.5, "x", "é", [:]], "b": 1000])
        #expect(read("true") == true)
        #expect(read("1") == 1)
        #expect(read("0") == 0)
        #expect(read(#""text""#) == "text")
        #expect(read("null") == .null)
    }

    @Test(
        "What is no JSON is nothing", arguments: ["", "nul", "{", "1e999", "NaN", "{'a': 1}", "[1] x", #"{"a": 1e999}"#, "\u{0}"])
    func broken(text: String) {
        #expect(read(text) == nil)
    }

    @Test("What is nested a mile deep is not read at all")
    func deep() {
        #expect(read(String(repeating: "[", count: 32) + String(repeating: "]", count: 32)) != nil)
        #expect(read(String(repeating: "[", count: 33) + String(repeating: "]", count: 33)) == nil)
        #expect(read(String(repeating: "[", count: 100_000)) == nil)
    }
}
