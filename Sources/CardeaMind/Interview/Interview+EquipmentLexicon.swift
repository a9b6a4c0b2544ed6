import CardeaModel
import Foundation

extension Interview {
    /// The vocabulary of household equipment: its names, its brands, and the ways to connect it.
    ///
    /// The words are a resource, so that another language is another file.
    struct EquipmentLexicon: Sendable {
        /// The purpose of a device: `light`, `lock`, `dishwasher`.
        struct Function: Decodable, Sendable {
            let id: String
            let words: [String]
            /// Plural words for a single thing: curtains.
            let mass: [String]?
            let `class`: DeviceClass
            let kind: EntityKind?
            /// True if it serves the whole house, so that its room is not asked.
            let roams: Bool?
            /// True if it belongs to the edge of the house, so that "at the back" is enough of a place.
            let edge: Bool?
        }

        struct Brand: Decodable, Sendable {
            let name: String
            let aliases: [String]?
            let functions: [String]
            /// The function that the brand alone means: a Yale is a lock.
            let `default`: String?
            let integrations: [String]
        }

        /// A word that names both a brand and a function: a Roomba.
        struct Product: Decodable, Sendable {
            let words: [String]
            let brand: String
            let function: String
        }

        struct RoomTerm: Decodable, Sendable {
            let kind: RoomKind
            let words: [String]
            /// True for a room of its own rather than any of its kind: the nursery is not "the bedroom".
            let own: Bool?
        }

        private struct Modifiers: Decodable {
            let plain: [String]
            let floor: [String: Int]
            let telling: [String]
        }

        /// The words in which the house names things.
        struct OutputVocabulary: Decodable, Sendable {
            /// The number words, from none on.
            let numbers: [String]
            /// Rooms that take "on" instead of "in".
            let onRooms: Set<String>
            /// Words written in capitals.
            let acronyms: Set<String>
            /// The first letters of words that take "an", and of spelt-out words that do.
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

        /// The meaning of a word or a phrase by itself.
        enum Meaning: Hashable, Sendable {
            case function(String, isPlural: Bool)
            case product(String, brand: String, isPlural: Bool)
            case brand(String)
            /// A kind of room, as an index of `rooms`.
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

        /// The function words that structure a sentence. The raw values are the keys of the resource.
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
        /// The texts of whole utterances, by their meaning: yes, no, done.
        let utterances: [String: Set<String>]
        let phrases: [String: Meaning]
        let output: OutputVocabulary
        /// The sentences that the house says in an interview.
        let sentences: [InterviewSentence: String]
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
                file.sentences.compactMap { key, text in InterviewSentence(rawValue: key).map { ($0, text) } },
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

        /// The text in lower case, without accents, and with one kind of apostrophe.
        static func folded(_ text: String) -> String {
            // Nearly every text is ASCII, and this is by far the fastest way.
            if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
            let plain = text.replacingOccurrences(of: "\u{2019}", with: "'").replacingOccurrences(of: "\u{02BC}", with: "'")
            // Only text that folds to ASCII is folded further: other scripts keep their marks.
            return plain.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil).lowercased()
        }

        static func plurals(of word: String) -> [String] {
            guard let last = word.last else { return [] }
            if ["s", "x", "z"].contains(last) || word.hasSuffix("ch") || word.hasSuffix("sh") { return [word + "es"] }
            if last == "y", let before = word.dropLast().last, !"aeiou".contains(before) { return [word.dropLast() + "ies", word + "s"] }
            return [word + "s"]
        }

        /// The longest run of `words` with a meaning, from `start` on.
        ///
        /// - Parameter own: the house's own names for its rooms.
        func longestMatch(_ words: [String], from start: Int, own: [String: Meaning]) -> (Meaning, length: Int)? {
            var length = min(Self.maximumPhraseLength, words.count - start)
            while length > 0 {
                let phrase = words[start..<(start + length)].joined(separator: " ")
                if let meaning = own[phrase] ?? phrases[phrase] { return (meaning, length) }
                length -= 1
            }
            return nil
        }

        /// Returns whether a text is one of the named utterances: `matches("yep", is: "yes")`.
        func matches(_ text: String, is name: String) -> Bool { utterances[name]?.contains(text) ?? false }
    }
}
