import CardeaModel
import CardeaStore
import Foundation
import Testing

@Suite("JSON columns")
struct JSONTextTests {
    @Test("Any written value reads back equal")
    func roundTrip() throws {
        let hard: [JSONValue] = [
            .null, true, 42, -0.5, 1e300, "", "\"\\/\u{0}\u{1F}\u{7F}\n\t\r", "玄関 🚪 \u{2028}\u{202E}", [], [1, [2, "x"]], [:],
            ["b": 1, "a": ["c": .null], "": "empty", "\"": "quote"],
        ]
        for value in hard {
            let text = try JSONText.encode(value)
            #expect(try JSONText.decode(text) == value, "\(text)")
            #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) == value)
        }
    }

    @Test("Equal values have equal text")
    func sorted() throws {
        #expect(try JSONText.encode(["b": 1, "a": 2]) == #"{"a":2,"b":1}"#)
    }

    @Test("A number that JSON cannot represent is refused")
    func notFinite() {
        #expect(throws: (any Error).self) { try JSONText.encode(.number(.infinity)) }
        #expect(throws: (any Error).self) { try JSONText.encode(["a": .number(.nan)]) }
    }
}
