import CardeaModel
import CardeaTemplates
import CardeaTestSupport
import Foundation
import Testing

@Suite("Fuzzing of templates")
struct TemplateFuzzTests {
    private static let words = [
        "{{", "}}", "{%", "%}", "{#", "#}", "-", "+", "*", "**", "/", "//", "%", "~", "|", ".", ",", ":", "(", ")", "[", "]", "{", "}",
        "==", "<", ">=",
        "=", "if", "elif", "else", "endif", "for", "in", "endfor", "set", "endset", "is", "not", "and", "or", "value", "value_json", "x",
        "loop", "'a'",
        "\"b", "'\\x'", "0", "1", "9223372036854775807", "1e308", "0.1", "-1", "none", "true", "float", "int", "round", "default", "join",
        "map",
        "regex_replace('(a|b)*', 'x')", "split", "format", "'{:>9}'", "'%d'", "range(9)", "namespace(x=1)", "ns.x", "now()",
        "timedelta(days=9)",
        "tojson", "from_json", "sort", "sum", "\n", " ", "é", "\u{0}", "👍🏽", "strftime('%Y')", "replace", "raw", "endraw", "length", "items",
    ]

    private static let variables: [String: JSONValue] = [
        "value": "21.5", "value_json": ["x": [1, 2.5, "a", nil, true], "items": ["a": 1], "set": "é"], "x": 3,
    ]

    /// Checks that neither compiling nor rendering traps, hangs or gives an unnamed error.
    private func check(_ source: String) {
        do throws(TemplateError) {
            let text = try Template(source).render(Self.variables, at: TemplateTable.now, in: TemplateTable.zone)
            #expect(text.utf8.count <= 256 * 1024)
        } catch {
            #expect(!error.description.isEmpty)
        }
    }

    private static let count = ProcessInfo.processInfo.environment["CARDEA_FUZZED_TEMPLATES"].flatMap { Int($0) } ?? 3_000

    @Test("Random token sequences cause no crash")
    func words() {
        var dice = XorshiftGenerator.forTest(0x7E39)
        for _ in 0..<Self.count {
            var source = dice.next(3) == 0 ? "" : "{{ "
            for _ in 0..<(1 + dice.next(24)) { source += Self.words[dice.next(Self.words.count)] + (dice.next(2) == 0 ? " " : "") }
            check(source + (dice.next(3) == 0 ? "" : " }}"))
        }
    }

    @Test("Damaged copies of the templates in the test table cause no crash")
    func damaged() throws {
        var dice = XorshiftGenerator.forTest(0x7E3A)
        let rows = try TemplateTable.rows(at: TemplateTable.file)
        for _ in 0..<Self.count {
            var bytes = Array(rows[dice.next(rows.count)].template.utf8)
            for _ in 0..<(1 + dice.next(4)) where !bytes.isEmpty {
                let place = dice.next(bytes.count)
                switch dice.next(4) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = UInt8(dice.next(256))
                case 2: bytes.insert(contentsOf: Self.words[dice.next(Self.words.count)].utf8, at: place)
                default: bytes.insert(contentsOf: bytes[place...].prefix(dice.next(20)), at: dice.next(bytes.count))
                }
            }
            check(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test("Random regular expressions cause no crash")
    func patterns() {
        let parts = [
            "a", "b", ".", "*", "+", "?", "(", ")", "(?:", "(?=", "(?<!", "[", "]", "[^", "a-z", "|", "{2,3}", "{0}", "\\d", "\\b", "\\1",
            "^", "$", "(?i)",
        ]
        var dice = XorshiftGenerator.forTest(0x7E3B)
        for _ in 0..<Self.count {
            let pattern = (0..<(1 + dice.next(10))).map { _ in parts[dice.next(parts.count)] }.joined()
            let filter = ["regex_replace(p, '-')", "regex_findall(p)", "regex_match(p)", "regex_search(p, true)"][dice.next(4)]
            do throws(TemplateError) {
                _ = try Template("{{ ('ab' * 40) | \(filter) }}").render(
                    ["p": .string(pattern)], at: TemplateTable.now, in: TemplateTable.zone)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }
}
