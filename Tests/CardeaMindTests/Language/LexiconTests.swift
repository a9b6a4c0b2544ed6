import CardeaModel
import Foundation
import Testing

@testable import CardeaMind

@Suite("The lexicon is loaded from its file and validated")
struct LexiconTests {
    private func english() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(PackageResources.lexicon_en_json)) as? [String: Any])
    }

    private func loadError(_ change: (inout [String: Any]) -> Void) throws -> Lexicon.LexiconError? {
        var file = try english()
        change(&file)
        do {
            _ = try Lexicon(Array(try JSONSerialization.data(withJSONObject: file)))
            return nil
        } catch let problem as Lexicon.LexiconError {
            return problem
        }
    }

    private func senses(_ file: inout [String: Any], _ change: (inout [String: [String]]) -> Void) {
        var senses = file["senses"] as? [String: [String]] ?? [:]
        change(&senses)
        file["senses"] = senses
    }

    @Test("The English lexicon is complete")
    func whole() throws {
        let lexicon = try Lexicon.english()
        #expect(lexicon.language == "en")
        #expect(lexicon.sentences.count == AnswerSentence.allCases.count)
        #expect(lexicon.stateSentences.count == StateSentence.allCases.count)
        #expect(try loadError { _ in } == nil)
    }

    @Test("A missing, duplicate or unused word is rejected by name")
    func refused() throws {
        #expect(try loadError { file in senses(&file) { $0["ask.who"] = nil } } == .missing("ask.who"))
        #expect(try loadError { file in senses(&file) { $0["ask.who"] = [] } } == .missing("ask.who"))
        #expect(try loadError { file in senses(&file) { $0["ask.whom"] = ["whom"] } } == .unknownKey("ask.whom"))
        #expect(try loadError { file in senses(&file) { $0["ask.when"]?.append("who") } } == .twice("who"))
        #expect(try loadError { file in senses(&file) { $0["ask.when"]?.append("?!") } } == .empty("ask.when"))
        #expect(try loadError { $0["parts"] = ["morning": ["12:00", "05:00"]] } == .part("morning"))
        #expect(
            try loadError { file in
                var sentences = file["sentences"] as? [String: String] ?? [:]
                sentences["hello"] = "Hello {nobody}"
                file["sentences"] = sentences
            } == .places("hello"))
        func thoughts(_ change: (inout [String: String]) -> Void) throws -> Lexicon.LexiconError? {
            try loadError { file in
                var thoughts = file["thoughts"] as? [String: String] ?? [:]
                change(&thoughts)
                file["thoughts"] = thoughts
            }
        }
        #expect(try thoughts { $0["is_new"] = nil } == .missing("is_new"))
        #expect(try thoughts { $0["is_old"] = "Old." } == .unknownKey("is_old"))
        #expect(try thoughts { $0["is_new"] = "{thin} is new." } == .places("is_new"))
        #expect(throws: Lexicon.LexiconError.unreadable) { try Lexicon(Array("{".utf8)) }
    }

    @Test("Every answer sentence can be filled")
    func sentences() throws {
        let lexicon = try Lexicon.english()
        let values = Dictionary(uniqueKeysWithValues: Placeholder.allCases.map { ($0, "x{who}x") })
        for phrase in AnswerSentence.allCases {
            #expect(!lexicon.answerText(phrase, values).lowercased().replacingOccurrences(of: "x{who}x", with: "").contains("{"))
            #expect(!lexicon.answerText(phrase).contains("{"))
        }
        for thought in StateSentence.allCases {
            #expect(!lexicon.stateText(thought, values).replacingOccurrences(of: "x{who}x", with: "").contains("{"))
            #expect(!lexicon.stateText(thought).contains("{"))
        }
    }

    // Sentences about moods, habits and what-if were once in code, where no other language's file could replace them.
    @Test("Answer sentences are in the language file, not in code, and all of them are used")
    func whereItStands() throws {
        let code = try MindSourceFile.read()

        let said = code.flatMap(\.literals).filter { $0.isSentence && !$0.isInternal }.map(\.text)
        let (phrases, thoughts) = (MindSourceFile.uses(of: "AnswerSentence", in: code), MindSourceFile.uses(of: "StateSentence", in: code))
        // The values that fill one are listed beside their list.
        let sentences = MindSourceFile.uses(of: "InterviewSentence", in: code, takenBy: ["phrase"])

        #expect(code.count > 150)
        #expect(said == [])
        #expect(AnswerSentence.allCases.map { "\($0)" }.filter { !phrases.contains($0) } == [])
        #expect(StateSentence.allCases.map { "\($0)" }.filter { !thoughts.contains($0) } == [])
        #expect(InterviewSentence.allCases.map { "\($0)" }.filter { !sentences.contains($0) } == [])
    }

    // Multi-line strings were once not checked, whole lines were skipped for a few letters in them, and an unused sentence counted as used
    // where anything else had its name.
    @Test("Sentences in code are detected in every literal form, without false matches on sentence names")
    func seen() {
        let code = MindSourceFile(
            #"""
            let long = """
                It is \(isOn ? "switched on now" : "off") and warm
                in here.
                """
            logger.info("nobody reads this")
            let query: SQL = """
                SELECT at FROM happenings
                """
            let fault = "this default is told"  // and "this one here" is not
            let one = telling.say(.happy, [.name: name])
            let other: Thought = isOn ? .bored : .worried
            switch mood { case .excited: break }
            """#)

        let said = code.literals.filter { $0.isSentence && !$0.isInternal }.map(\.text)
        #expect(said == ["switched on now", "It is  and warm in here.", "this default is told"])
        #expect(MindSourceFile.uses(of: "Thought", in: [code], takenBy: ["say"]) == ["happy", "name", "bored", "worried"])
    }

    @Test("Names are inserted in the language's own order and never parsed")
    func sayings() throws {
        let lexicon = try Lexicon.english()
        let names: [Placeholder: String] = [.who: "{thing}", .thing: "{}"]

        #expect(
            lexicon.stateSentence(.tryRefusedBy, [.time: "23:00"], names: names).text
                == "A try at {} was refused, by {thing}, the last at 23:00.")
        #expect(lexicon.stateSentence(.hasComeIn, [.time: "23:00"], names: names).text == "{thing} came in by {} at 23:00.")
        #expect(
            lexicon.stateSentence(.usuallyShows, [.from: "19", .to: "23"], names: [.thing: "Study"]).text == "Study usually shows 19 to 23."
        )
    }

    @Test("A typo matches, another word does not")
    func nearness() {
        for (typed, word) in [
            ("openned", "opened"), ("dor", "door"), ("bakc", "back"), ("ktichen", "kitchen"), ("temprature", "temperature"),
            ("baterries", "batteries"),
        ] {
            #expect(EditDistance.typoDistance(WordLetters(typed), for: WordLetters(word)) != nil, "\(typed) for \(word)")
        }
        for (typed, word) in [
            ("oven", "open"), ("look", "lock"), ("on", "of"), ("president", "present"), ("ballroom", "bathroom"), ("light1", "light2"),
            ("hall", "wall"),
        ] {
            #expect(EditDistance.typoDistance(WordLetters(typed), for: WordLetters(word)) == nil, "\(typed) for \(word)")
        }
        #expect(EditDistance.distance([], WordLetters("abc").letters, limit: 3) == 3)
        #expect(EditDistance.distance(WordLetters("ca").letters, WordLetters("ac").letters, limit: 2) == 1)
    }
}
