import Foundation

extension Interview {
    /// A word of a message, where it stands in it.
    struct SpokenWord: Hashable, Sendable {
        /// Without case and accents, spelt as it was meant.
        var text: String
        /// As it was written.
        let written: String
        /// Its place among the characters of the message.
        let range: Range<Int>
        var isCorrected = false
        /// A name in quotation marks, which is never read for what it says.
        var isQuoted = false

        /// What ends a sentence or a part of it.
        var isMark: Bool { written.count == 1 && !isQuoted && ".,;:!?\n".contains(written) }
    }

    /// One or more words that mean something together.
    struct Piece: Hashable, Sendable {
        enum What: Hashable, Sendable {
            case means(Equipment.Meaning)
            case comma, colon
            case quoted(String)
            /// Letters and digits mixed, as models are named.
            case model(String)
            case unknown
        }

        let what: What
        let text: String
        let written: String
        let range: Range<Int>
        let isCorrected: Bool

        func `is`(_ grammar: Equipment.Grammar) -> Bool { what == .means(.grammar(grammar)) }
        var number: Int? { if case .means(.number(let number)) = what { number } else { nil } }
        var isRoom: Bool {
            switch what {
            case .means(.room), .means(.houseRoom): true
            default: false
            }
        }
        var isThing: Bool {
            switch what {
            case .means(.function), .means(.product): true
            default: false
            }
        }
        var brand: String? { if case .means(.brand(let brand)) = what { brand } else { nil } }
        var isModifier: Bool {
            switch what {
            case .means(.modifier), .means(.floor): true
            default: false
            }
        }
    }

    /// One sentence, or what of it stands by itself.
    struct Clause: Hashable, Sendable {
        var pieces: [Piece]
        var isQuestion: Bool
        /// It goes on about what the one before was about.
        var goesOn: Bool

        /// It speaks of a thing, and not by "it".
        var saysOtherThanThat: Bool {
            guard let first = pieces.first, !first.is(.itIs), !first.is(.itIsNot), !first.is(.it), !first.is(.not), !first.is(.note) else {
                return false
            }
            let speaks = pieces.contains { $0.isThing || $0.brand != nil }
            // "… that it's" is about the thing itself.
            return speaks && pieces.last?.is(.who) == false && pieces.last?.is(.called) == false
        }
    }

    /// A message taken apart: characters, words, clauses. Whatever is written, it comes to an end and stays small.
    struct Utterance: Sendable {
        /// Longer messages are read up to here.
        static let limit = 2000
        static let wordLimit = 400

        let characters: [Character]
        let clauses: [Clause]
        /// All words but the marks, as they were meant, for answers that are a single phrase.
        let plain: String

        init(_ text: String, equipment: Equipment, own: OwnRooms) {
            characters = Array(text.prefix(Self.limit))
            var words = Self.words(of: characters)
            var shortened: [Int] = []
            for index in words.indices where !words[index].isMark && !words[index].isQuoted {
                let word = words[index].text
                if equipment.spelling.knows(word) || own.words.contains(word) { continue }
                if word.hasSuffix("'s"), equipment.spelling.knows(String(word.dropLast(2))) || own.words.contains(String(word.dropLast(2)))
                {
                    words[index].text = String(word.dropLast(2))
                    if index + 1 < words.count, Self.afterIs.contains(words[index + 1].text) { shortened.append(index + 1) }
                } else if let meant = own.spelling.nearest(to: word) ?? equipment.spelling.nearest(to: word) {
                    words[index].text = meant
                    words[index].isCorrected = true
                }
            }
            // "The thermostat's in the hall": it is there, nothing is the thermostat's.
            for index in shortened.reversed() where words.indices.contains(index) {
                words.insert(
                    SpokenWord(text: "is", written: "is", range: words[index].range.lowerBound..<words[index].range.lowerBound), at: index)
            }
            words = words.flatMap { Self.parts(of: $0, equipment: equipment) }
            plain = words.filter { !$0.isMark && !$0.isQuoted }.map(\.text).joined(separator: " ")
            clauses = Self.clauses(of: words, equipment: equipment, own: own.meanings)
        }

        /// The words something came from, as they were written.
        func written(_ range: Range<Int>) -> String {
            let range = range.clamped(to: 0..<characters.count)
            return String(String(characters[range]).split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(200))
        }

        private static func words(of characters: [Character]) -> [SpokenWord] {
            var words: [SpokenWord] = []
            var index = 0
            while index < characters.count, words.count < wordLimit {
                let character = characters[index]
                if let close = closing(character), let end = characters[(index + 1)...].prefix(120).firstIndex(of: close), end > index + 1 {
                    let name = String(characters[(index + 1)..<end])
                    words.append(SpokenWord(text: Equipment.folded(name), written: name, range: index..<(end + 1), isQuoted: true))
                    index = end + 1
                } else if isPart(character) {
                    var end = index + 1
                    // An apostrophe, a hyphen or a point belongs to the word it stands in.
                    while end < characters.count,
                        isPart(characters[end]) || isInner(characters[end]) && end + 1 < characters.count && isPart(characters[end + 1])
                    {
                        end += 1
                    }
                    let written = String(characters[index..<end])
                    words.append(SpokenWord(text: Equipment.folded(written), written: written, range: index..<end))
                    index = end
                } else {
                    if let mark = mark(of: character) { words.append(SpokenWord(text: mark, written: mark, range: index..<(index + 1))) }
                    index += 1
                }
            }
            return words
        }

        private static let afterIs: Set<String> = [
            "in", "on", "at", "a", "an", "not", "from", "by", "called", "connected", "over", "under", "next", "upstairs", "downstairs",
        ]

        /// "Living-room" is two words, "T-shirt" may stay one.
        private static func parts(of word: SpokenWord, equipment: Equipment) -> [SpokenWord] {
            guard !word.isQuoted, word.text.contains("-"), equipment.phrases[word.text] == nil else { return [word] }
            let parts = word.text.split(separator: "-").map(String.init)
            guard parts.count > 1, parts.count <= 5, parts.allSatisfy({ equipment.spelling.knows($0) }) else { return [word] }
            return parts.map { SpokenWord(text: $0, written: $0, range: word.range, isCorrected: word.isCorrected) }
        }

        private static func closing(_ character: Character) -> Character? {
            switch character {
            case "\"": "\""
            case "\u{201C}", "\u{201E}": "\u{201D}"
            case "\u{00AB}": "\u{00BB}"
            default: nil
            }
        }

        private static func isPart(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "&" }
        private static func isInner(_ character: Character) -> Bool { "'\u{2019}\u{02BC}-.".contains(character) }

        private static func mark(of character: Character) -> String? {
            switch character {
            case ".", "!", "?", ";", ",", ":": String(character)
            case "\u{2014}", "\u{2013}", "(", ")", "-", "/": ","
            case _ where character.isNewline: "."
            default: nil
            }
        }

        private static func clauses(of words: [SpokenWord], equipment: Equipment, own: [String: Equipment.Meaning]) -> [Clause] {
            var clauses: [Clause] = []
            var clause = Clause(pieces: [], isQuestion: false, goesOn: false)
            func end(isQuestion: Bool = false, goesOn: Bool = false) {
                // "Could you add a lamp?" is polite and no question.
                let asksKindly = ["could", "can", "would", "will"].contains(clause.pieces.first?.text ?? "")
                clause.isQuestion =
                    isQuestion && !(asksKindly && clause.pieces.contains { ["add", "note", "include", "take", "put"].contains($0.text) })
                if !clause.pieces.isEmpty { clauses.append(clause) }
                clause = Clause(pieces: [], isQuestion: false, goesOn: goesOn)
            }
            // Looked up without marks in between, so that no phrase reaches over a comma.
            var index = 0
            while index < words.count {
                let word = words[index]
                if word.isMark {
                    switch word.written {
                    case ",": clause.pieces.append(Piece(what: .comma, text: ",", written: ",", range: word.range, isCorrected: false))
                    case ":": clause.pieces.append(Piece(what: .colon, text: ":", written: ":", range: word.range, isCorrected: false))
                    default: end(isQuestion: word.written == "?")
                    }
                    index += 1
                } else if word.isQuoted {
                    clause.pieces.append(
                        Piece(what: .quoted(word.written), text: word.text, written: word.written, range: word.range, isCorrected: false))
                    index += 1
                } else {
                    let run = words[index...].prefix(5).prefix { !$0.isMark && !$0.isQuoted }
                    let (what, length) = Self.what(run, equipment: equipment, own: own)
                    let last = words[min(index + length, words.count) - 1]
                    let piece = Piece(
                        what: what, text: run.prefix(length).map(\.text).joined(separator: " "),
                        written: run.prefix(length).map(\.written).joined(separator: " "),
                        range: word.range.lowerBound..<last.range.upperBound,
                        isCorrected: run.prefix(length).contains(where: \.isCorrected))
                    // "There's a lock on the door, I think it's a Schlage": two sentences in one.
                    if piece.is(.itIs) || piece.is(.itIsNot), clause.saysOtherThanThat { end() }
                    if piece.is(.but) { end(goesOn: true) } else { clause.pieces.append(piece) }
                    index += length
                }
            }
            end()
            return clauses
        }

        private static func what(
            _ run: ArraySlice<SpokenWord>, equipment: Equipment, own: [String: Equipment.Meaning]
        ) -> (Piece.What, length: Int) {
            let texts = run.map(\.text)
            if let (meaning, length) = equipment.longest(texts, from: 0, own: own) { return (.means(meaning), length) }
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

    /// What this house calls its rooms, ready to be found in a sentence.
    struct OwnRooms: Sendable {
        let meanings: [String: Equipment.Meaning]
        let words: Set<String>
        let spelling: Spelling

        /// - Parameter rooms: key and name. What means a thing already stays that: a room called "Lamp" is not worth the confusion.
        init(_ rooms: [(key: String, name: String)], equipment: Equipment) {
            var meanings: [String: Equipment.Meaning] = [:]
            for room in rooms {
                let name = Equipment.folded(room.name).split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "'" }).joined(
                    separator: " ")
                guard !name.isEmpty, meanings[name] == nil else { continue }
                switch equipment.phrases[name] {
                case nil, .room, .plain, .modifier, .furniture: meanings[name] = .houseRoom(room.key)
                default: break
                }
            }
            self.meanings = meanings
            words = Set(meanings.keys.flatMap { $0.split(separator: " ").map(String.init) })
            spelling = Spelling(words: words)
        }
    }
}
