import Foundation

/// The words of one language, and all sentences of the house: answers, feelings, habits and what-if results. Its file has everything about
/// them that is English. The words and questions of interviews have a file of their own, `equipment.en.json`.
public struct Lexicon: Sendable {
    public let language: String
    /// The category of each phrase, by the folded words of the phrase.
    let categories: [[String]: LexicalCategory]
    /// The number of words in the longest phrase.
    let longestPhrase: Int
    /// Every word that occurs in a phrase.
    let vocabulary: Set<String>
    let spellings: [Int: [WordLetters]]
    let numbers: [String: Double]
    /// Words that count as one: "an hour ago".
    let singularCounts: Set<String>
    /// The minutes since midnight at which a part of the day begins and ends; values over 1440 are on the next day.
    let parts: [DayPart: Range<Int>]
    let leads: [LeadWord: Set<String>]
    /// Words that occur at the beginning of names without being names.
    let common: Set<String>
    private let phrasesByCategory: [LexicalCategory: [String]]
    let sentences: [AnswerSentence: String]
    let stateSentences: [StateSentence: String]
    /// Sentences that can be parsed, with places for names, for a `Reworder`.
    let forms: [String]
    /// The search stems of every word that an answer can contain, except names and numbers.
    let stems: Set<String>

    public enum LexiconError: Error, Hashable, Sendable {
        case unreadable
        case unknownKey(String)
        case missing(String)
        /// The same phrase has two meanings.
        case twice(String)
        case empty(String)
        case part(String)
        /// A sentence has an unknown placeholder.
        case places(String)
    }

    enum DayPart: String, CaseIterable, Hashable, Sendable {
        case morning, forenoon, afternoon, evening, night, noon, midnight
        case lastNight = "last_night"
    }

    /// Small words that introduce a time, a number or a name.
    enum LeadWord: String, CaseIterable, Hashable, Sendable {
        case time, date, clock, from, to, of, article, lasting, few
    }

    /// Parses a lexicon's file, or throws its first error.
    public init(_ bytes: some Collection<UInt8>) throws(LexiconError) {
        guard let file = try? JSONDecoder().decode(File.self, from: Data(bytes)) else { throw .unreadable }
        language = file.language
        var senses: [[String]: LexicalCategory] = [:]
        var told: [LexicalCategory: [String]] = [:]
        for (key, phrases) in file.senses.sorted(by: { $0.key < $1.key }) {
            guard let sense = LexicalCategory.byKey[key] else { throw .unknownKey(key) }
            told[sense] = phrases
            for phrase in phrases {
                let words = Word.tokenize(phrase).map(\.folded)
                guard !words.isEmpty else { throw .empty(key) }
                if let other = senses.updateValue(sense, forKey: words), other != sense { throw .twice(phrase) }
            }
        }
        for (key, sense) in LexicalCategory.byKey.sorted(by: { $0.key < $1.key }) where told[sense]?.isEmpty ?? true { throw .missing(key) }
        var parts: [DayPart: Range<Int>] = [:]
        for part in DayPart.allCases {
            let minutes = (file.parts[part.rawValue] ?? []).compactMap(Lexicon.minutes)
            guard minutes.count == 2, minutes[0] < minutes[1] else { throw .part(part.rawValue) }
            parts[part] = minutes[0]..<minutes[1]
        }
        var leads: [LeadWord: Set<String>] = [:]
        for lead in LeadWord.allCases {
            guard let words = file.leads[lead.rawValue], !words.isEmpty else { throw .missing(lead.rawValue) }
            leads[lead] = Set(words)
        }
        self.leads = leads
        sentences = try Lexicon.checked(file.sentences, as: AnswerSentence.self)
        stateSentences = try Lexicon.checked(file.thoughts, as: StateSentence.self)
        forms = file.forms
        for form in forms where !SentenceTemplate.isValid(form) { throw .places(form) }
        stems = Set((Array(file.senses.values.joined()) + Array(file.sentences.values)).flatMap(MemorySearch.stems))
        self.categories = senses
        self.phrasesByCategory = told
        self.parts = parts
        longestPhrase = senses.keys.map(\.count).max() ?? 1
        numbers = file.numbers
        singularCounts = Set(file.ones)
        common = Set(file.common)
        vocabulary = Set(senses.keys.joined()).union(file.numbers.keys)
        spellings = WordLetters.byLength(vocabulary)
    }

    /// English, the language every house has.
    public static func english() throws(LexiconError) -> Lexicon { try shared.get() }

    /// English, the default. Its file is part of the program, and a test reads it.
    public static let standard: Lexicon = {
        do { return try Lexicon.english() } catch { preconditionFailure("The words cannot be read: \(error)") }
    }()

    /// Read once for the whole program: it is the same for every house.
    private static let shared = Result { () throws(LexiconError) in try Lexicon(PackageResources.lexicon_en_json) }

    /// The word for a category in answers.
    func word(_ sense: LexicalCategory) -> String { phrasesByCategory[sense]?.first ?? "" }

    func phrases(_ sense: LexicalCategory) -> [String] { phrasesByCategory[sense] ?? [] }

    /// Minutes since midnight from `HH:MM`, hours up to 48.
    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        guard parts.count == 2, (0...48).contains(parts[0]), (0..<60).contains(parts[1]) else { return nil }
        return parts[0] * 60 + parts[1]
    }

    /// The sentences by key. Throws for an unknown or a missing key.
    private static func checked<Key>(
        _ texts: [String: String], as keys: Key.Type
    ) throws(LexiconError) -> [Key: String] where Key: RawRepresentable & CaseIterable & Hashable, Key.RawValue == String {
        var sentences: [Key: String] = [:]
        for (key, text) in texts {
            guard let sentence = Key(rawValue: key) else { throw .unknownKey(key) }
            guard SentenceTemplate.isValid(text) else { throw .places(key) }
            sentences[sentence] = text
        }
        for key in Key.allCases where sentences[key] == nil { throw .missing(key.rawValue) }
        return sentences
    }

    private struct File: Decodable {
        let language: String
        let senses: [String: [String]]
        let numbers: [String: Double]
        let ones: [String]
        let parts: [String: [String]]
        let common: [String]
        let leads: [String: [String]]
        let sentences: [String: String]
        let thoughts: [String: String]
        let forms: [String]
    }
}

// MARK: Sentences

extension Lexicon {
    func answerText(_ phrase: AnswerSentence, _ values: [Placeholder: String] = [:]) -> String {
        SentenceTemplate.render(sentences[phrase] ?? "", values)
    }

    public func stateText(_ stateSentence: StateSentence, _ values: [Placeholder: String] = [:]) -> String {
        SentenceTemplate.render(stateSentences[stateSentence] ?? "", values)
    }

    /// A sentence with names and temperatures, which are put in last, in the order of this language.
    ///
    /// - Parameter warmths: °C. The unit, if the sentence has a place for it, is the reader's.
    func stateSentence(
        _ stateSentence: StateSentence, _ values: [Placeholder: String] = [:], names: [Placeholder: String],
        warmths: [Placeholder: Double] = [:]
    ) -> ParameterizedSentence {
        let sentence = stateSentences[stateSentence] ?? ""
        var values = values.merging(names.mapValues { _ in ParameterizedSentence.Marker.name.rawValue }) { _, mark in mark }
        if !warmths.isEmpty {
            values.merge(warmths.mapValues { _ in ParameterizedSentence.Marker.warmth.rawValue }) { _, mark in mark }
            values[.unit] = ParameterizedSentence.Marker.sign.rawValue
        }
        let places = SentenceTemplate.placeholders(in: sentence)
        return ParameterizedSentence(
            SentenceTemplate.render(sentence, values), names: places.compactMap { names[$0] }, warmths: places.compactMap { warmths[$0] })
    }

    /// "A, b and c".
    func list(_ items: [String]) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return answerText(.listed, [.list: items.dropLast().joined(separator: ", "), .rest: last])
    }

    /// The first items, and the number of the others: "a, b and 3 more".
    func list(_ items: [String], atMost most: Int) -> String {
        guard items.count > most else { return list(items) }
        return list(Array(items.prefix(most)) + [answerText(.andMore, [.count: String(items.count - most)])])
    }

    /// "Hour" for one, "hours" for several. The file has them in this order.
    func unit(_ span: TimeUnit, _ count: Int) -> String {
        phrases(.span(span)).dropFirst(count == 1 ? 0 : 1).first ?? span.rawValue
    }

    /// "Monday", by its number from 0 for Monday.
    func weekday(_ number: Int) -> String {
        let all = LexicalCategory.WeekdayWord.allCases
        return all.indices.contains(number) ? AnswerFormatter.capitalized(word(.weekday(all[number]))) : ""
    }
}
