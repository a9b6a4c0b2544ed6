import Foundation

extension Interview {
    /// A word of a message, with its position.
    struct InputWord: Hashable, Sendable {
        /// Without case and accents, with spelling corrected.
        var text: String
        /// As it was written.
        let written: String
        /// The range of its characters in the message.
        let range: Range<Int>
        var isCorrected = false
        /// True for a name in quotation marks, which is never interpreted.
        var isQuoted = false

        /// True if it ends a sentence or a part of one.
        var isPunctuation: Bool { written.count == 1 && !isQuoted && ".,;:!?\n".contains(written) }
    }

    /// One or more words with one meaning.
    struct Token: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case means(EquipmentLexicon.Meaning)
            case comma, colon
            case quoted(String)
            /// Letters and digits mixed, as in model names.
            case model(String)
            case unknown
        }

        let kind: Kind
        let text: String
        let written: String
        let range: Range<Int>
        let isCorrected: Bool

        func `is`(_ grammar: EquipmentLexicon.GrammarWord) -> Bool { kind == .means(.grammar(grammar)) }
        var number: Int? { if case .means(.number(let number)) = kind { number } else { nil } }
        var isRoom: Bool {
            switch kind {
            case .means(.room), .means(.houseRoom): true
            default: false
            }
        }
        var isDevice: Bool {
            switch kind {
            case .means(.function), .means(.product): true
            default: false
            }
        }
        var brand: String? { if case .means(.brand(let brand)) = kind { brand } else { nil } }
        var isModifier: Bool {
            switch kind {
            case .means(.modifier), .means(.floor): true
            default: false
            }
        }
    }

    /// One sentence, or a part of it that is complete in itself.
    struct Clause: Hashable, Sendable {
        var tokens: [Token]
        var isQuestion: Bool
        /// True if it goes on about the subject of the clause before.
        var continuesPrevious: Bool

        /// True if it mentions a thing other than by "it".
        var mentionsOtherDevice: Bool {
            guard let first = tokens.first, !first.is(.itIs), !first.is(.itIsNot), !first.is(.it), !first.is(.not), !first.is(.note) else {
                return false
            }
            let speaks = tokens.contains { $0.isDevice || $0.brand != nil }
            // "… that it's" is about the thing itself.
            return speaks && tokens.last?.is(.who) == false && tokens.last?.is(.called) == false
        }
    }

    /// A message, split into characters, words and clauses. Any input terminates, and the result is bounded.
    struct Utterance: Sendable {
        /// The number of characters that are read; the rest of a longer message is ignored.
        static let limit = 2000
        static let wordLimit = 400

        let characters: [Character]
        let clauses: [Clause]
        /// All words without punctuation, with spelling corrected, for answers that are a single phrase.
        let normalized: String

        init(_ text: String, equipment: EquipmentLexicon, own: RoomVocabulary) {
            characters = Array(text.prefix(Self.limit))
            var words = Self.words(of: characters)
            var shortened: [Int] = []
            for index in words.indices where !words[index].isPunctuation && !words[index].isQuoted {
                let word = words[index].text
                if equipment.spellChecker.knows(word) || own.words.contains(word) { continue }
                if word.hasSuffix("'s"),
                    equipment.spellChecker.knows(String(word.dropLast(2))) || own.words.contains(String(word.dropLast(2)))
                {
                    words[index].text = String(word.dropLast(2))
                    if index + 1 < words.count, Self.followersOfContractedIs.contains(words[index + 1].text) { shortened.append(index + 1) }
                } else if let meant = own.spellChecker.nearest(to: word) ?? equipment.spellChecker.nearest(to: word) {
                    words[index].text = meant
                    words[index].isCorrected = true
                }
            }
            // "The thermostat's in the hall": "'s" is "is" here, not a possessive.
            for index in shortened.reversed() where words.indices.contains(index) {
                words.insert(
                    InputWord(text: "is", written: "is", range: words[index].range.lowerBound..<words[index].range.lowerBound), at: index)
            }
            words = words.flatMap { Self.hyphenParts(of: $0, equipment: equipment) }
            normalized = words.filter { !$0.isPunctuation && !$0.isQuoted }.map(\.text).joined(separator: " ")
            clauses = Self.clauses(of: words, equipment: equipment, own: own.meanings)
        }

        /// The source of a range of words, as it was written.
        func sourceText(_ range: Range<Int>) -> String {
            let range = range.clamped(to: 0..<characters.count)
            return String(String(characters[range]).split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(200))
        }

        private static func words(of characters: [Character]) -> [InputWord] {
            var words: [InputWord] = []
            var index = 0
            while index < characters.count, words.count < wordLimit {
                let character = characters[index]
                if let close = closingQuote(character), let end = characters[(index + 1)...].prefix(120).firstIndex(of: close),
                    end > index + 1
                {
                    let name = String(characters[(index + 1)..<end])
                    words.append(InputWord(text: EquipmentLexicon.folded(name), written: name, range: index..<(end + 1), isQuoted: true))
                    index = end + 1
                } else if isWordCharacter(character) {
                    var end = index + 1
                    // An apostrophe, a hyphen or a point inside a word belongs to it.
                    while end < characters.count,
                        isWordCharacter(characters[end])
                            || isInnerPunctuation(characters[end]) && end + 1 < characters.count && isWordCharacter(characters[end + 1])
                    {
                        end += 1
                    }
                    let written = String(characters[index..<end])
                    words.append(InputWord(text: EquipmentLexicon.folded(written), written: written, range: index..<end))
                    index = end
                } else {
                    if let mark = punctuation(of: character) {
                        words.append(InputWord(text: mark, written: mark, range: index..<(index + 1)))
                    }
                    index += 1
                }
            }
            return words
        }

        private static let followersOfContractedIs: Set<String> = [
            "in", "on", "at", "a", "an", "not", "from", "by", "called", "connected", "over", "under", "next", "upstairs", "downstairs",
        ]

        /// Splits "living-room" into two words; "T-shirt" may stay one.
        private static func hyphenParts(of word: InputWord, equipment: EquipmentLexicon) -> [InputWord] {
            guard !word.isQuoted, word.text.contains("-"), equipment.phrases[word.text] == nil else { return [word] }
            let parts = word.text.split(separator: "-").map(String.init)
            guard parts.count > 1, parts.count <= 5, parts.allSatisfy({ equipment.spellChecker.knows($0) }) else { return [word] }
            return parts.map { InputWord(text: $0, written: $0, range: word.range, isCorrected: word.isCorrected) }
        }

        private static func closingQuote(_ character: Character) -> Character? {
            switch character {
            case "\"": "\""
            case "\u{201C}", "\u{201E}": "\u{201D}"
            case "\u{00AB}": "\u{00BB}"
            default: nil
            }
        }

        private static func isWordCharacter(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "&" }
        private static func isInnerPunctuation(_ character: Character) -> Bool { "'\u{2019}\u{02BC}-.".contains(character) }

        private static func punctuation(of character: Character) -> String? {
            switch character {
            case ".", "!", "?", ";", ",", ":": String(character)
            case "\u{2014}", "\u{2013}", "(", ")", "-", "/": ","
            case _ where character.isNewline: "."
            default: nil
            }
        }

        private static func clauses(of words: [InputWord], equipment: EquipmentLexicon, own: [String: EquipmentLexicon.Meaning]) -> [Clause]
        {
            var clauses: [Clause] = []
            var clause = Clause(tokens: [], isQuestion: false, continuesPrevious: false)
            func end(isQuestion: Bool = false, goesOn: Bool = false) {
                // "Could you add a lamp?" is a polite request, not a question.
                let asksKindly = ["could", "can", "would", "will"].contains(clause.tokens.first?.text ?? "")
                clause.isQuestion =
                    isQuestion && !(asksKindly && clause.tokens.contains { ["add", "note", "include", "take", "put"].contains($0.text) })
                if !clause.tokens.isEmpty { clauses.append(clause) }
                clause = Clause(tokens: [], isQuestion: false, continuesPrevious: goesOn)
            }
            // Without punctuation in between, so that no phrase extends over a comma.
            var index = 0
            while index < words.count {
                let word = words[index]
                if word.isPunctuation {
                    switch word.written {
                    case ",": clause.tokens.append(Token(kind: .comma, text: ",", written: ",", range: word.range, isCorrected: false))
                    case ":": clause.tokens.append(Token(kind: .colon, text: ":", written: ":", range: word.range, isCorrected: false))
                    default: end(isQuestion: word.written == "?")
                    }
                    index += 1
                } else if word.isQuoted {
                    clause.tokens.append(
                        Token(kind: .quoted(word.written), text: word.text, written: word.written, range: word.range, isCorrected: false))
                    index += 1
                } else {
                    let run = words[index...].prefix(5).prefix { !$0.isPunctuation && !$0.isQuoted }
                    let (what, length) = Self.tokenKind(run, equipment: equipment, own: own)
                    let last = words[min(index + length, words.count) - 1]
                    let currentToken = Token(
                        kind: what, text: run.prefix(length).map(\.text).joined(separator: " "),
                        written: run.prefix(length).map(\.written).joined(separator: " "),
                        range: word.range.lowerBound..<last.range.upperBound,
                        isCorrected: run.prefix(length).contains(where: \.isCorrected))
                    // "There's a lock on the door, I think it's a Schlage": two sentences in one.
                    if currentToken.is(.itIs) || currentToken.is(.itIsNot), clause.mentionsOtherDevice { end() }
                    if currentToken.is(.but) { end(goesOn: true) } else { clause.tokens.append(currentToken) }
                    index += length
                }
            }
            end()
            return clauses
        }

        private static func tokenKind(
            _ run: ArraySlice<InputWord>, equipment: EquipmentLexicon, own: [String: EquipmentLexicon.Meaning]
        ) -> (Token.Kind, length: Int) {
            let texts = run.map(\.text)
            if let (meaning, length) = equipment.longestMatch(texts, from: 0, own: own) { return (.means(meaning), length) }
            guard let word = run.first else { return (.unknown, 1) }
            if let number = Int(word.text) { return (.means(.number(number)), 1) }
            if word.text.count <= 4, word.text.hasSuffix("x") || word.text.hasPrefix("x"),
                let number = Int(word.text.trimmingCharacters(in: CharacterSet(charactersIn: "x")))
            {
                return (.means(.number(number)), 1)
            }
            if word.text.contains(where: \.isNumber), word.text.contains(where: \.isLetter) { return (.model(word.written), 1) }
            return (.unknown, 1)
        }
    }

    /// The names of this house's rooms, prepared for finding them in a sentence.
    struct RoomVocabulary: Sendable {
        let meanings: [String: EquipmentLexicon.Meaning]
        let words: Set<String>
        let spellChecker: SpellChecker

        /// - Parameter rooms: key and name. Words that already mean a thing keep that meaning, so a room called "Lamp" is not found.
        init(_ rooms: [(key: String, name: String)], equipment: EquipmentLexicon) {
            var meanings: [String: EquipmentLexicon.Meaning] = [:]
            for room in rooms {
                let name = EquipmentLexicon.folded(room.name).split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "'" }).joined(
                    separator: " ")
                guard !name.isEmpty, meanings[name] == nil else { continue }
                switch equipment.phrases[name] {
                case nil, .room, .plain, .modifier, .furniture: meanings[name] = .houseRoom(room.key)
                default: break
                }
            }
            self.meanings = meanings
            words = Set(meanings.keys.flatMap { $0.split(separator: " ").map(String.init) })
            spellChecker = SpellChecker(words: words)
        }
    }
}
