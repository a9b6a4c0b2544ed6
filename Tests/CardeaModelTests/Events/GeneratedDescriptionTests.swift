import Testing

@testable import CardeaModel

@Suite("Machine-generated descriptions")
struct GeneratedDescriptionTests {
    @Test("A description is one line without invisible or bidirectional control characters")
    func plain() {
        #expect(GeneratedDescription.cleaned("  A cat\r\n on\u{2029}the\t\u{0}mat. ") == "A cat on the mat.")
        #expect(GeneratedDescription.cleaned("\u{202E}tac\u{2066} \u{FEFF}\u{E0041}x\u{E000}\u{200E}") == "tac x")
        #expect(GeneratedDescription.cleaned("👩\u{200D}👩\u{200D}👧 نمی\u{200C}خواهم") == "👩\u{200D}👩\u{200D}👧 نمی\u{200C}خواهم")
        #expect(GeneratedDescription.cleaned("门口有一只猫") == "门口有一只猫")
        for nothing in ["", " \n", "\u{200B}", "…", "\u{202E}\u{301}", "---"] { #expect(GeneratedDescription.cleaned(nothing) == nil) }
    }

    @Test("A long description is cut, at a word boundary if possible")
    func short() {
        let exact = String(repeating: "a", count: GeneratedDescription.limit)
        #expect(GeneratedDescription.cleaned(exact) == exact)
        #expect(GeneratedDescription.cleaned(exact + "a")?.count == GeneratedDescription.limit)
        let words = GeneratedDescription.cleaned(String(repeating: "word ", count: 100_000))
        #expect(words?.hasSuffix("word…") == true && (words?.count ?? 0) <= GeneratedDescription.limit)
        let marked = "a" + String(repeating: "\u{301}", count: 50_000)
        #expect((GeneratedDescription.cleaned("see " + marked)?.unicodeScalars.count ?? 0) <= 600)
        #expect(GeneratedDescription.cleaned("see " + marked) == "see…")
        #expect(GeneratedDescription.cleaned(marked) == nil)
    }

    @Test("Any input gives bounded plain text")
    func anything() {
        var random = SeededGenerator.forTest(5)
        for _ in 0..<TestRepetitions.of(1000, full: 5000) {
            let count = Int.random(in: 0...900, using: &random)
            let scalars = (0..<count).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2FFFF, using: &random)) }
            let text = String(String.UnicodeScalarView(scalars))
            guard let line = GeneratedDescription.cleaned(text) else { continue }
            #expect(line.count <= GeneratedDescription.limit && line.unicodeScalars.count <= 600, "seed \(random.seed)")
            #expect(
                !line.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{2028}" || $0 == "\u{202E}" },
                "seed \(random.seed)")
        }
    }
}
