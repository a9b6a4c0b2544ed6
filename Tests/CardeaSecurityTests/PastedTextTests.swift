import CardeaSecurity
import CardeaTestSupport
import Foundation
import Testing

/// `pasted.json`: spellings in which links, codes and tag links arrive. `Tests/PeerTests/test_pasted_links.py` tries the same at the hub, its
/// pages and the terminal.
private struct PastedTextSamples: Decodable {
    struct Row: Decodable {
        let what: String
        let text: String
    }

    struct End: Decodable {
        let what: String
        let add: String
    }

    let behindLinks: [End]
    let aroundLinks: [Row]
    let tokens: [Row]
    let codes: [Row]
    let notWhole: [String]
    let tags: [Row]

    static func read() throws -> PastedTextSamples {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "pasted.json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(PastedTextSamples.self, from: Data(contentsOf: file))
    }

    /// A text of the table with its placeholders filled in.
    static func fill(_ text: String, _ code: String) -> String {
        let half = code.count / 2
        let words = [
            "code": code, "head": String(code.prefix(half)), "tail": String(code.dropFirst(half)), "rest": String(code.dropFirst()),
            "cut": String(code.dropLast(3)), "lower": code.lowercased(), "spaced": code.map { String($0) }.joined(separator: " "),
            "wide": String(String.UnicodeScalarView(code.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0xFEE0) })),
            "markdown": code.replacing("_", with: "\\_"), "other": TokenKind.invitation.rawValue + String(repeating: "A", count: 43),
            "place": "https://house.example", "origin": "https://house.example", "id": code,
            "escaped": code.utf8.map { String(format: "%%%02X", $0) }.joined(),
        ]
        return words.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}

@Suite("Cleaning of pasted text")
struct PastedTextTests {
    private static let guestLinks = [
        "Ab3_-xYz9qAb3_-xYz9qAb3_-xYz9qAb3_-xYz9qabc", String(repeating: "A", count: 42) + "-", String(repeating: "9", count: 42) + "_",
    ]
    .map { TokenKind.guestLink.rawValue + $0 }

    @Test("A pass link is recognised within a sentence, a messenger's text or a mailing", arguments: guestLinks)
    func links(code: String) throws {
        let table = try PastedTextSamples.read()
        for row in table.behindLinks {
            let link = "https://house.example/g#\(code)\(row.add)"
            #expect(PassCode.normalized(link)?.reveal() == code && PassCode.normalized(code + row.add)?.reveal() == code, "\(row.what)")
            let parts = try #require(PastedText.link(in: link))
            #expect(parts.place == "https://house.example/g" && PassCode.normalized(parts.fragment)?.reveal() == code, "\(row.what)")
        }
        for row in table.aroundLinks {
            let text = PastedTextSamples.fill(row.text, code)
            #expect(PassCode.normalized(text)?.reveal() == code, "\(row.what)")
            let parts = try #require(PastedText.link(in: text), "\(row.what)")
            #expect(
                parts.place.hasPrefix("https://house.example/g") && PassCode.normalized(parts.fragment)?.reveal() == code, "\(row.what)")
        }
        for row in table.tokens { #expect(PassCode.normalized(PastedTextSamples.fill(row.text, code))?.reveal() == code, "\(row.what)") }
    }

    @Test("A ten-character code is normalised from any typed or pasted form")
    func codes() throws {
        for row in try PastedTextSamples.read().codes {
            #expect(PassCode.normalized(PastedTextSamples.fill(row.text, "7KQ2M9PXRT"))?.reveal() == "7KQ2M9PXRT", "\(row.what)")
        }
    }

    @Test("A partial link, another kind of link and other letters give no pass code")
    func notWhole() throws {
        for code in Self.guestLinks {
            for text in try PastedTextSamples.read().notWhole {
                #expect(PassCode.normalized(PastedTextSamples.fill(text, code)) == nil, "\(text)")
            }
        }
        #expect(PassCode.normalized(String(repeating: "A", count: 5000)) == nil)
        #expect(TokenKind.claim.token(in: Self.guestLinks[0]) == nil)
    }

    @Test("A tag link is recognised with padding, escapes, slashes and tracking parameters")
    func tags() throws {
        let id = "tag_01a2053798ed7dcf848151296dc52e0f"
        for row in try PastedTextSamples.read().tags {
            #expect(try TagLink(PastedTextSamples.fill(row.text, id)) == .staticTag(id: id), "\(row.what)")
        }
        // A touch's values are kept.
        let touch = "https://house.example/t/?picc_data=EF96&cmac=94EE"
        for text in [
            touch + "\u{0}", touch + "&fbclid=x", "https://house.example/t/?utm_source=a&picc_data=EF96&cmac=94EE.", touch + "%20",
            touch + "#x",
        ] {
            #expect(try TagLink(text) == .touch(id: nil, values: ["picc_data": "EF96", "cmac": "94EE"]), "\(text)")
        }
    }

    @Test("A text with a thousand nested escapes is left unchanged", arguments: [1000, 1300])
    func rounds(_ count: Int) {
        // Removing each broken octet completes the escape before it.
        let text = "a" + String(repeating: "%", count: count) + String(repeating: "80", count: count) + "b"
        for step in [PastedText.normalized, PastedText.tagLink] { #expect(step(text) == text) }
        #expect(PassCode.normalized(text) == nil)
    }

    @Test("Cleaning a text twice changes nothing more")
    func idempotent() {
        let parts = [
            "%", "%25", "%2", "25", "41", "%E2%80%8B", "%EF%BC%85", "\u{200B}", "％", "１", "A", "é", "e\u{301}", "´", "½", "ﬁ", "#", "?",
            "&", "=",
            "utm_x=1", "fbclid", ".", "\"", ")", "\\", " ", "\r\n", "\u{0}", "\u{FEFF}", "\u{202E}", "/", "://", "t", "_", "-", "🚪",
            "\u{FFFD}",
        ]
        var random = SeededGenerator.forTest(14)
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0...14, using: &random)).compactMap { _ in parts.randomElement(using: &random) }.joined()
            for step in [PastedText.visible, PastedText.normalized, PastedText.tagLink] {
                let once = step(text)
                #expect(step(once) == once, "\(text.debugDescription), seed \(random.seed)")
            }
        }
    }
}
