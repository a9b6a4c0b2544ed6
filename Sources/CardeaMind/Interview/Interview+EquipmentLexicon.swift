import CardeaModel
import Foundation

extension Interview {
    /// What the mind knows of things that stand in houses: what they are called, who makes them, and how they can be reached.
    ///
    /// The words are a resource, so that another language is another file.
    struct EquipmentLexicon: Sendable {
        /// What something is for: `light`, `lock`, `dishwasher`.
        struct Function: Decodable, Sendable {
            let id: String
            let words: [String]
            /// Words that are one thing though they look like many: curtains.
            let mass: [String]?
            let `class`: DeviceClass
            let kind: EntityKind?
            /// It serves the whole house, so it is not asked for its room.
            let roams: Bool?
            /// It belongs to the edge of the house: "at the back" says enough of where it is.
            let edge: Bool?
        }

        struct Brand: Decodable, Sendable {
            let name: String
            let aliases: [String]?
            let functions: [String]
            /// What somebody means who says only the brand: a Yale is a lock.
            let `default`: String?
            let integrations: [String]
        }

        /// A word that says both who made it and what it is: a Roomba.
        struct Product: Decodable, Sendable {
            let words: [String]
            let brand: String
            let function: String
        }

        struct RoomTerm: Decodable, Sendable {
            let kind: RoomKind
            let words: [String]
            /// It is a room of its own and not just any of its kind: the nursery is not "the bedroom".
            let own: Bool?
        }

        private struct Modifiers: Decodable {
            let plain: [String]
            let floor: [String: Int]
            let telling: [String]
        }

        /// How things are called where the house says it.
        struct OutputVocabulary: Decodable, Sendable {
            /// From none on.
            let numbers: [String]
            /// Rooms that one is on, and not in.
            let onRooms: Set<String>
            /// Words that are written in capitals.
            let acronyms: Set<String>
            /// What a word begins with that goes with "an"; and a word that is spelt out.
            let vowels: String
            let speltVowels: String
        }

        private struct ResourceFile: Decodable {
            let functions: [Function]
            let brands: [Brand]
            let products: [Product]
            let rooms: [RoomTerm]
            let furniture: [String: RoomKind]
            let modifiers: Modifiers
            let numbers: [String: Int]
            let ordinals: [String: Int]
            let grammar: [String: [String]]
            let notRooms: [String]
            let people: [String]
            let common: String
            let said: OutputVocabulary
            let sentences: [String: String]
        }

        /// What a word or a few words mean by themselves.
        enum Meaning: Hashable, Sendable {
            case function(String, isPlural: Bool)
            case product(String, brand: String, isPlural: Bool)
            case brand(String)
            /// A room by its kind, as an index of `rooms`.
            case room(Int, isPlural: Bool)
            /// A room of this house.
            case houseRoom(String)
            case number(Int)
            case grammar(GrammarWord)
            case furniture(RoomKind)
            case modifier
            case floor(Int)
            /// Neither equipment nor a room, and never taken for a misspelling of one.
            case plain
        }

        /// The small words that carry a sentence. The raw values are the keys of the resource.
        enum GrammarWord: String, Hashable, Sendable, CaseIterable {
            case definite, indefinite, vague, another, each, every, `in`, preposition, from, called, callIt, and, but, `is`, isNot, it,
                itIs,
                itIsNot, thereIs, thereIsNot, have, haveNot, forget, not, connected, unconnected, who, note, meant, allOf
        }

        let functions: [String: Function]
        let brands: [String: Brand]
        let rooms: [RoomTerm]
        let ordinals: [String: Int]
        let furniture: [String: RoomKind]
        let floors: [String: Int]
        let distinguishingModifiers: Set<String>
        let notRooms: Set<String>
        let people: Set<String>
        /// Whole utterances by what they say: yes, no, done.
        let utterances: [String: Set<String>]
        let phrases: [String: Meaning]
        let output: OutputVocabulary
        /// What the house says.
        let sentences: [SentenceKey: String]
        let spellChecker: SpellChecker
        private static let maximumPhraseLength = 5

        static let english: EquipmentLexicon = {
            do {
                return try EquipmentLexicon(Data(PackageResources.equipment_en_json))
            } catch {
                // The words are part of the program; a test reads them.
                preconditionFailure("The equipment words cannot be read: \(error)")
            }
        }()

        init(_ data: Data) throws {
            let file = try JSONDecoder().decode(ResourceFile.self, from: data)
            functions = Dictionary(file.functions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            brands = Dictionary(file.brands.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            rooms = file.rooms
            ordinals = file.ordinals
            furniture = file.furniture
            floors = file.modifiers.floor
            distinguishingModifiers = Set(file.modifiers.telling)
            notRooms = Set(file.notRooms)
            people = Set(file.people)
            output = file.said
            sentences = Dictionary(
                file.sentences.compactMap { key, text in SentenceKey(rawValue: key).map { ($0, text) } },
                uniquingKeysWith: { first, _ in first })
            utterances = file.grammar.mapValues { Set($0.map(Self.folded)) }

            var phrases: [String: Meaning] = [:]
            func learn(_ words: String, _ meaning: Meaning) { phrases[Self.folded(words)] = meaning }
            for word in file.common.split(separator: " ") + file.people.map({ $0[...] }) + file.notRooms.map({ $0[...] }) {
                learn(String(word), .plain)
            }
            for word in file.modifiers.plain + file.modifiers.telling { learn(word, .modifier) }
            for (word, floor) in file.modifiers.floor { learn(word, .floor(floor)) }
            for (word, kind) in file.furniture { learn(word, .furniture(kind)) }
            for (index, room) in file.rooms.enumerated() {
                for word in room.words {
                    for many in Self.plurals(of: word) { learn(many, .room(index, isPlural: true)) }
                    learn(word, .room(index, isPlural: false))
                }
            }
            for function in file.functions {
                let mass = Set(function.mass ?? [])
                for word in function.words {
                    for many in Self.plurals(of: word) { learn(many, .function(function.id, isPlural: !mass.contains(many))) }
                }
                for word in function.words { learn(word, .function(function.id, isPlural: false)) }
            }
            for brand in file.brands {
                for word in [brand.name] + (brand.aliases ?? []) {
                    for many in Self.plurals(of: word) where phrases[Self.folded(many)] == nil { learn(many, .brand(brand.name)) }
                    learn(word, .brand(brand.name))
                }
            }
            for product in file.products {
                for word in product.words {
                    for many in Self.plurals(of: word) { learn(many, .product(product.function, brand: product.brand, isPlural: true)) }
                    learn(word, .product(product.function, brand: product.brand, isPlural: false))
                }
            }
            for (word, number) in file.numbers { learn(word, .number(number)) }
            for grammar in GrammarWord.allCases {
                for word in file.grammar[grammar.rawValue] ?? [] { learn(word, .grammar(grammar)) }
            }
            self.phrases = phrases
            let all = Array(phrases.keys) + utterances.values.flatMap(\.self) + Array(ordinals.keys)
            spellChecker = SpellChecker(words: Set(all.flatMap { $0.split(separator: " ").map(String.init) }))
        }

        /// The words without case, accents and the several kinds of apostrophe.
        static func folded(_ text: String) -> String {
            // Nearly all that is said, and by far the quickest.
            if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
            let plain = text.replacingOccurrences(of: "\u{2019}", with: "'").replacingOccurrences(of: "\u{02BC}", with: "'")
            // Only what ends as ASCII is folded further: other scripts keep their marks.
            return plain.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil).lowercased()
        }

        static func plurals(of word: String) -> [String] {
            guard let last = word.last else { return [] }
            if ["s", "x", "z"].contains(last) || word.hasSuffix("ch") || word.hasSuffix("sh") { return [word + "es"] }
            if last == "y", let before = word.dropLast().last, !"aeiou".contains(before) { return [word.dropLast() + "ies", word + "s"] }
            return [word + "s"]
        }

        /// The longest run of `words` that means something, from `start` on.
        ///
        /// - Parameter own: what this house calls its rooms.
        func longestMatch(_ words: [String], from start: Int, own: [String: Meaning]) -> (Meaning, length: Int)? {
            var length = min(Self.maximumPhraseLength, words.count - start)
            while length > 0 {
                let phrase = words[start..<(start + length)].joined(separator: " ")
                if let meaning = own[phrase] ?? phrases[phrase] { return (meaning, length) }
                length -= 1
            }
            return nil
        }

        /// What an utterance says as a whole: `utterance("yep", is: "yes")`.
        func matches(_ text: String, is name: String) -> Bool { utterances[name]?.contains(text) ?? false }
    }
}
