import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMind

@Suite("Interview components")
struct InterviewComponentTests {
    @Test("Device assignment minimizes the total cost over all candidates")
    func assignment() {
        for seed in TestSeed.values(1..<401 as Range<UInt64>) {
            var dice = SeededMemoryGenerator(seed: seed)
            let (rows, columns) = (1 + dice.below(4), 1 + dice.below(5))
            let scores = (0..<rows).map { _ in (0..<columns).map { _ in dice.below(3) == 0 ? nil : Double(dice.below(40) + 1) / 4 } }
            let best = Interview.HungarianAssignment.best(scores)

            #expect(abs(best.total - Self.tried(scores)) < 1e-9, "seed \(seed)")
            let given = best.columns.compactMap(\.self)
            #expect(Set(given).count == given.count, "seed \(seed)")
            for (row, column) in best.columns.enumerated() { if let column { #expect(scores[row][column] != nil, "seed \(seed)") } }
        }
        #expect(Interview.HungarianAssignment.best([]).total == 0)
        #expect(Interview.HungarianAssignment.best([[], []]).columns == [nil, nil])
        // A greedy choice would give the first the 5, and the second nothing.
        #expect(Interview.HungarianAssignment.best([[5, 4], [5, nil]]).columns == [1, 0])
    }

    /// The best assignment by brute force.
    private static func tried(_ scores: [[Double?]], from row: Int = 0, taken: Set<Int> = []) -> Double {
        guard row < scores.count else { return 0 }
        var best = tried(scores, from: row + 1, taken: taken)
        for (column, score) in scores[row].enumerated() where !taken.contains(column) {
            if let score { best = max(best, score + tried(scores, from: row + 1, taken: taken.union([column]))) }
        }
        return best
    }

    @Test("Spelling correction fixes misspelt words and keeps correct ones")
    func spelling() {
        let spelling = Interview.EquipmentLexicon.english.spellChecker
        for (wrong, right) in [
            ("dishwaser", "dishwasher"), ("thermstat", "thermostat"), ("lapm", "lamp"), ("kichen", "kitchen"), ("camra", "camera"),
            ("tow", "two"),
            ("refridgerator", "refrigerator"), ("boshc", "bosch"), ("umbrella", nil), ("zzzz", nil), ("", nil),
        ] { #expect(spelling.nearest(to: wrong) == right, "\(wrong)") }
        for word in ["look", "block", "back", "right", "night", "bell", "well", "sofa", "lump", "luck"] {
            #expect(spelling.nearest(to: word) == word)
        }
    }

    @Test("Edit distance is symmetric, bounded and correct")
    func distance() {
        func distance(_ one: String, _ other: String, _ bound: Int = 9) -> Int? {
            EditDistance.distance(one.unicodeScalars.map(\.value), other.unicodeScalars.map(\.value), limit: bound)
        }
        #expect(distance("lamp", "lamp") == 0)
        #expect(distance("lamp", "lapm") == 1)
        #expect(distance("", "abc") == 3)
        #expect(distance("kitten", "sitting") == 3)
        #expect(distance("kitten", "sitting", 2) == nil)
        var dice = SeededMemoryGenerator(seed: TestSeed.value(3))
        for _ in 0..<2000 {
            let words = (0..<2).map { _ in String((0..<dice.below(7)).map { _ in "abcd".randomElement(using: &dice) ?? "a" }) }
            #expect(distance(words[0], words[1]) == distance(words[1], words[0]), "\(words), seed \(dice.seed)")
            #expect((distance(words[0], words[1]) ?? 99) <= max(words[0].count, words[1].count), "\(words), seed \(dice.seed)")
            #expect((distance(words[0], words[1]) == 0) == (words[0] == words[1]), "\(words), seed \(dice.seed)")
        }
    }

    @Test("Equipment lexicon: every function, brand and word resolves")
    func words() {
        let equipment = Interview.EquipmentLexicon.english
        #expect(equipment.functions.count >= 40)
        #expect(equipment.brands.count >= 80)
        for brand in equipment.brands.values {
            #expect(brand.functions.allSatisfy { equipment.functions[$0] != nil }, "\(brand.name)")
            if let meant = brand.default { #expect(equipment.functions[meant] != nil, "\(brand.name)") }
        }
        for function in equipment.functions.values {
            for word in function.words {
                guard case .function(let id, _) = equipment.phrases[Interview.EquipmentLexicon.folded(word)] else {
                    Issue.record("\(word) is not read as what it is")
                    continue
                }
                #expect(id == function.id, "\(word)")
            }
        }
        for sentence in InterviewSentence.allCases {
            let text = equipment.sentences[sentence] ?? ""
            #expect(!text.isEmpty && SentenceTemplate.isValid(text), "\(sentence)")
        }
        for grammar in Interview.EquipmentLexicon.GrammarWord.allCases {
            #expect(equipment.utterances[grammar.rawValue]?.isEmpty == false, "\(grammar)")
        }
    }
}
