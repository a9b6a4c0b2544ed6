import CardeaModel
import Foundation
import Testing

@Suite("Parsing of untrusted JSON")
struct JSONParsingTests {
    private func read(_ text: String) -> JSONValue? { JSONValue.read(Array(text.utf8)) }

    @Test("A value is parsed with its type")
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
        "Invalid JSON is refused", arguments: ["", "nul", "{", "1e999", "NaN", "{'a': 1}", "[1] x", #"{"a": 1e999}"#, "\u{0}"])
    func broken(text: String) {
        #expect(read(text) == nil)
    }

    @Test("Deeply nested JSON is refused")
    func deep() {
        #expect(read(String(repeating: "[", count: 32) + String(repeating: "]", count: 32)) != nil)
        #expect(read(String(repeating: "[", count: 33) + String(repeating: "]", count: 33)) == nil)
        #expect(read(String(repeating: "[", count: 100_000)) == nil)
    }

    @Test("Numbers match JSONDecoder bit for bit")
    func numbers() throws {
        let texts = [
            "-0", "0.1", "21.4", "0.3", "-61.5", "1.0625", "99999999999.9999", "123456789012345", "1234567890123456", "9007199254740993",
            "0.12345", "100000000000.9999", "1E2", "2e-3", "1.5e+3",
        ]
        for text in texts {
            let number = try #require(read(text)?.number)
            #expect(number.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
        for text in ["01", "-", "1.", ".5", "+1", "1e", "0x1", "--1", "1.2.3", "00"] { #expect(read(text) == nil, "\(text)") }
    }

    @Test("Random documents are accepted and refused as by JSONDecoder")
    func alike() throws {
        var random = SeededGenerator.forTest(20_261_122)
        let pieces = [
            "{", "}", "[", "]", ":", ",", "\"", "\"a\"", "\"b\"", "\"\\n\"", "\"é\"", "1", "-2.5", "0", "1e3", "true", "false", "null", " ",
            "\n", "\\",
        ]
        for _ in 0..<TestRepetitions.of(5000, full: 20_000) {
            var text = document(depth: 3, &random)
            if Bool.random(using: &random) {
                var bytes = Array(text.utf8)
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes.replaceSubrange(place...place, with: Array((pieces.randomElement(using: &random) ?? "").utf8))
                text = String(decoding: bytes, as: UTF8.self)
            }
            let decoded = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            #expect(read(text) == decoded, "\(text), seed \(random.seed)")
        }
    }

    @Test("Escapes are decoded to their characters")
    func escapes() {
        #expect(read(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 x""#) == "\"\\/\u{8}\u{C}\n\r\té\u{1F600} x")
        for text in [
            #""\x""#, #""\u12""#, #""\ud83d""#, #""\ud83dx""#, #""\ud83d\u0041""#, #""\ude00""#, #""\u+123""#, #""\"#, "\"a\\nb\n\"",
        ] {
            #expect(read(text) == nil, "\(text)")
        }
    }

    @Test("A repeated member is read once")
    func twice() {
        #expect(read(#"{"a": 1, "a": 1}"#) == ["a": 1])
    }

    @Test("Invalid UTF-8 is refused")
    func bytes() {
        #expect(JSONValue.read([0x22, 0xC3, 0x22]) == nil)
        #expect(JSONValue.read([0x22, 0xED, 0xA0, 0x80, 0x22]) == nil)
        #expect(JSONValue.read([0x22, 0x01, 0x22]) == nil)
        #expect(JSONValue.read([0x22, 0xC3, 0xA9, 0x22]) == "é")
        #expect(JSONValue.read([0x22, 0x5C, 0x6E, 0xC3, 0x22]) == nil)
        #expect(JSONValue.read([0x22, 0x5C, 0x6E, 0xC3, 0xA9, 0x22]) == "\né")
        #expect(JSONValue.read([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]) == nil)
    }

    private func document(depth: Int, _ random: inout some RandomNumberGenerator) -> String {
        let space = ["", "", " ", "\n\t"].randomElement(using: &random) ?? ""
        let count = Int.random(in: 0...3, using: &random)
        switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &random) {
        case 0: return space + ["true", "false", "null"][Int.random(in: 0...2, using: &random)]
        case 1: return space + String(Int.random(in: -1000...1000, using: &random))
        case 2: return space + String(Double(Int.random(in: -99_999...99_999, using: &random)) / 1000)
        case 3: return space + ["\"\"", "\"hall\"", "\"Büro\"", "\"a\\\"b\"", "\"\\u00e9\""][Int.random(in: 0...4, using: &random)]
        case 4: return space + String(Int64.random(in: .min ... .max, using: &random))
        case 5: return space + "[" + (0..<count).map { _ in document(depth: depth - 1, &random) }.joined(separator: ",") + space + "]"
        default:
            let members = (0..<count).map { "\"m\($0)\"\(space):" + document(depth: depth - 1, &random) }
            return space + "{" + members.joined(separator: ",") + space + "}"
        }
    }
}
