import CardeaModel
import Testing

@Suite("Names")
struct NameTests {
    @Test("Ordinary names are accepted in any script", arguments: ["Dad's lamp", "玄関", "قفل", "Žofie (2)", "🚪 Front", "é"])
    func accepted(name: String) throws {
        #expect(try Name.check("  \(name) ") == name.precomposed)
    }

    @Test("Empty, oversized and invisible names are refused, each with its own error")
    func refused() {
        #expect(throws: Name.NameError.empty) { try Name.check(" \n ") }
        #expect(throws: Name.NameError.tooLong) { try Name.check(String(repeating: "a", count: 101)) }
        #expect(throws: Name.NameError.tooLong) { try Name.check("a" + String(repeating: "\u{301}", count: 2000)) }
        #expect(throws: Name.NameError.invalidCharacters) { try Name.check("a\u{202E}b") }
        #expect(throws: Name.NameError.invalidCharacters) { try Name.check("a\u{0}b") }
        #expect(throws: Name.NameError.invalidCharacters) { try Name.check("a\u{E000}b") }
    }

    @Test("Flag emoji with tag characters are accepted, and tag characters elsewhere are refused")
    func flags() throws {
        let scotland = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"
        let tags = String(String.UnicodeScalarView(scotland.unicodeScalars.dropFirst()))

        #expect(try Name.check("Cottage \(scotland)\(scotland)") == "Cottage \(scotland)\(scotland)")
        #expect(try Name.checkDescription(scotland) == scotland)
        #expect(Name.cleaned("\(scotland) Cottage\(tags)", else: "House") == "\(scotland) Cottage")
        let long = "\u{1F3F4}" + String(repeating: "\u{E0067}", count: 8) + "\u{E007F}"
        let endless = String(String.UnicodeScalarView(scotland.unicodeScalars.dropLast()))
        let none = "\u{1F3F4}\u{E007F}"
        for hidden in ["a\(tags)", tags, scotland + tags, "\u{1F3F4}\u{200D}\(tags)", "🇩🇪\(tags)", long, endless, endless + "a", none] {
            #expect(throws: Name.NameError.invalidCharacters) { try Name.check(hidden) }
        }
        for steering in ["\u{202E}", "\u{2066}", "\u{7}", "\u{E0001}"] {
            #expect(throws: Name.NameError.invalidCharacters) { try Name.check(scotland + steering) }
        }
    }

    @Test("Names from integrations are cleaned instead of refused")
    func cleaned() {
        #expect(Name.cleaned("a\u{202E}\u{0}b", else: "Lock") == "ab")
        #expect(Name.cleaned("\u{0}", else: "Lock") == "Lock")
        #expect(Name.cleaned(String(repeating: "x", count: 500), else: "Lock").count == 100)
    }
}

extension String {
    fileprivate var precomposed: String { String(unicodeScalars) }
}
