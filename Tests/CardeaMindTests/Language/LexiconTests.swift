import CardeaModel
import Foundation
import Testing

@testable import CardeaMind

@Suite("The words of a language come from its file, which is looked at before it is used")
struct LexiconTests {
    private func english() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(PackageResources.lexicon_en_json)) as? [String: Any])
    }

    private func problem(_ change: (inout [String: Any]) -> Void) throws -> Lexicon.Problem? {
        var file = try english()
        change(&file)
        do {
            _ = try Lexicon(Array(try JSONSerialization.data(withJSONObject: file)))
            return nil
        } catch let problem as Lexicon.Problem {
            return problem
        }
    }

    private func senses(_ file: inout [String: Any], _ change: (inout [String: [String]]) -> Void) {
        var senses = file["senses"] as? [String: [String]] ?? [:]
        change(&senses)
        file["senses"] = senses
    }

    @Test("English is whole")
    func whole() throws {
        let lexicon = try Lexicon.english()
        #expect(lexicon.language == "en")
        #expect(lexicon.sentences.count == Phrase.allCases.count)
        #expect(try problem { _ in } == nil)
    }

    @Test("A word that is missing, stands twice, or is for nothing, is refused by name")
    func refused() throws {
        #expect(try problem { file in senses(&file) { $0["ask.who"] = nil } } == .missing("ask.who"))
        #expect(try problem { file in senses(&file) { $0["ask.who"] = [] } } == .missing("ask.who"))
        #expect(try problem { file in senses(&file) { $0["ask.whom"] = ["whom"] } } == .unknownKey("ask.whom"))
        #expect(try problem { file in senses(&file) { $0["ask.when"]?.append("who") } } == .twice("who"))
        #expect(try problem { file in senses(&file) { $0["ask.when"]?.append("?!") } } == .empty("ask.when"))
        #expect(try problem { $0["parts"] = ["morning": ["12:00", "05:00"]] } == .part("morning"))
        #expect(
            try problem { file in
                var sentences = file["sentences"] as? [String: String] ?? [:]
                sentences["hello"] = "Hello {nobody}"
                file["sentences"] = sentences
            } == .places("hello"))
        #expect(throws: Lexicon.Problem.unreadable) { try Lexicon(Array("{".utf8)) }
    }

    @Test("Every sentence of an answer can be filled")
    func sentences() throws {
        let lexicon = try Lexicon.english()
        let values = Dictionary(uniqueKeysWithValues: Place.allCases.map { ($0, "x{who}x") })
        for phrase in Phrase.allCases {
            #expect(!lexicon.say(phrase, values).lowercased().replacingOccurrences(of: "x{who}x", with: "").contains("{"))
            #expect(!lexicon.say(phrase).contains("{"))
        }
    }

    @Test("A slip of the finger is near, another word is not")
    func nearness() {
        for (typed, word) in [
            ("openned", "opened"), ("dor", "door"), ("bakc", "back"), ("ktichen", "kitchen"), ("temprature", "temperature"),
            ("baterries", "batteries"),
        ] {
            #expect(Nearness.slip(Spelling(typed), for: Spelling(word)) != nil, "\(typed) for \(word)")
        }
        for (typed, word) in [
            ("oven", "open"), ("look", "lock"), ("on", "of"), ("president", "present"), ("ballroom", "bathroom"), ("light1", "light2"),
            ("hall", "wall"),
        ] {
            #expect(Nearness.slip(Spelling(typed), for: Spelling(word)) == nil, "\(typed) for \(word)")
        }
        #expect(Nearness.distance([], Spelling("abc").letters, limit: 3) == 3)
        #expect(Nearness.distance(Spelling("ca").letters, Spelling("ac").letters, limit: 2) == 1)
    }
}
