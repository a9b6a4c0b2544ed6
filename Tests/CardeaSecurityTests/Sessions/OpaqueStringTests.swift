import CardeaSecurity
import Testing

@Suite("Preparation of passwords by OpaqueString")
struct OpaqueStringTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let says: String
        let typed: String
        let prepared: String

        var testDescription: String { says }
    }

    @Test(
        "A secret is normalised",
        arguments: [
            Case(says: "plain ASCII stays", typed: "correct horse 9", prepared: "correct horse 9"),
            Case(says: "its case stays", typed: "Straße", prepared: "Stra\u{DF}e"),
            Case(says: "a letter and its dots become one", typed: "Ba\u{308}che", prepared: "B\u{E4}che"),
            Case(says: "marks take one order", typed: "q\u{307}\u{323}", prepared: "q\u{323}\u{307}"),
            Case(says: "Hangul is composed", typed: "\u{1112}\u{1161}\u{11AB}", prepared: "\u{D55C}"),
            Case(says: "a no-break space is a space", typed: "a\u{A0}b", prepared: "a b"),
            Case(says: "so are a thin and an ideographic one", typed: "a\u{2009}b\u{3000}c", prepared: "a b c"),
            Case(says: "spaces at the ends stay", typed: " a ", prepared: " a "),
            Case(says: "a byte order mark goes", typed: "\u{FEFF}sesame", prepared: "sesame"),
            Case(says: "a full-width letter is another letter", typed: "\u{FF41}b", prepared: "\u{FF41}b"),
            Case(says: "a ligature stays", typed: "\u{FB01}sh", prepared: "\u{FB01}sh"),
            Case(says: "joiners of a sign stay", typed: "👨‍👩‍👧", prepared: "👨‍👩‍👧"),
        ])
    func prepared(_ example: Case) throws {
        let prepared = try OpaqueString.prepared(Secret(example.typed)).reveal()
        #expect(Array(prepared.unicodeScalars) == Array(example.prepared.unicodeScalars))
        // A prepared string is prepared again to the same.
        let again = try OpaqueString.prepared(Secret(prepared)).reveal()
        #expect(Array(again.unicodeScalars) == Array(prepared.unicodeScalars))
    }

    @Test(
        "An invisible character is refused",
        arguments: ["a\tb", "a\u{0}b", "a\nb", "a\u{7F}b", "a\u{85}b", "a\u{200B}b", "a\u{AD}b", "a\u{202E}b", "a\u{2060}b"])
    func unseen(_ typed: String) {
        #expect(throws: OpaqueString.OpaqueStringError.invisibleCharacter) { try OpaqueString.prepared(Secret(typed)) }
        // An older version may have accepted it, and it is tried as it is.
        #expect(Array(OpaqueString.candidates(Secret(typed))[0].reveal().utf8) == Array(typed.utf8))
    }

    @Test("Each candidate form is listed once, the current form first; plain ASCII has one form")
    func candidates() {
        func forms(_ typed: String, isOfFile: Bool = false) -> [[UInt8]] {
            OpaqueString.candidates(Secret(typed), isOfFile: isOfFile).map { Array($0.reveal().utf8) }
        }
        let (composed, apart) = (Array("B\u{E4}che".utf8), Array("Ba\u{308}che".utf8))
        #expect(forms("correct horse 9") == [Array("correct horse 9".utf8)])
        #expect(forms("B\u{E4}che") == [composed, apart])
        #expect(forms("Ba\u{308}che") == [composed, apart])
        #expect(forms("a\u{A0}b") == [Array("a b".utf8), Array("a\u{A0}b".utf8)])
        #expect(forms("\u{FEFF}sesame") == [Array("sesame".utf8), Array("\u{FEFF}sesame".utf8)])
        #expect(forms("sesame", isOfFile: true) == [Array("sesame".utf8), Array("\u{FEFF}sesame".utf8)])
        #expect(forms("a\u{A0}b", isOfFile: true).contains(Array("\u{FEFF}a\u{A0}b".utf8)))
        let mixed = forms("a\u{A0}B\u{E4}che")
        #expect(mixed.first == Array("a B\u{E4}che".utf8) && mixed.contains(Array("a\u{A0}Ba\u{308}che".utf8)))
        #expect(mixed.contains(Array("a Ba\u{308}che".utf8)) && Set(mixed).count == mixed.count)
    }
}
