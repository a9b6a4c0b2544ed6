import Foundation

/// A word of a sentence: folded for comparing, and as it was written.
struct Word: Hashable, Sendable {
    /// Lower case, without accents and apostrophes, for comparing.
    let folded: String
    /// As it was written, for replies to sentences that were not understood.
    let spelled: String

    /// A sentence with more words is not read.
    static let limit = 60

    /// "Ada's lamp, 22°C" → ada, lamp, 22, °c. Any input becomes plain words; none of it is interpreted as a command.
    static func tokenize(_ text: String) -> [Word] {
        var words: [Word] = []
        var current = ""
        let characters = Array(text.precomposedStringWithCanonicalMapping.prefix(1000))
        func end() {
            if let word = Word(current) { words.append(word) }
            current = ""
        }
        for (place, character) in characters.enumerated() {
            let last = current.last
            let next = place + 1 < characters.count ? characters[place + 1] : nil
            if character.isASCIIDigit {
                if let last, !last.isASCIIDigit, !".:-".contains(last) { end() }
                current.append(character)
            } else if ".:-,".contains(character), last?.isASCIIDigit == true, next?.isASCIIDigit == true, character != "-" || current.isDate
            {
                // 21.5, 19:04 and 2026-11-03 stay one word; 8-10 does not.
                current.append(character == "," ? "." : character)
            } else if character.isLetter || character.isMark {
                if last?.isASCIIDigit == true { end() }
                current.append(character)
            } else if "'’ʼ`".contains(character) {
                current.append("'")
            } else if character == "°" {
                end()
                current.append(character)
            } else {
                end()
                if character == "%" { words.append(Word(folded: "%", spelled: "%")) }
            }
        }
        end()
        return Array(words.prefix(limit))
    }

    private init(folded: String, spelled: String) {
        self.folded = folded
        self.spelled = spelled
    }

    private init?(_ spelled: String) {
        let spelled = spelled.trimmingCharacters(in: CharacterSet(charactersIn: "'.:-"))
        var folded = Word.fold(spelled)
        // Possessives are dropped: Ada's lamp, who's home.
        if folded.hasSuffix("'s") { folded = String(folded.dropLast(2)) }
        folded.removeAll { $0 == "'" }
        guard !folded.isEmpty else { return nil }
        self.init(folded: folded, spelled: spelled)
    }

    static func fold(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil).lowercased()
    }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
    fileprivate var isMark: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory == .nonspacingMark } }
}

extension String {
    /// True if it is the beginning of a date: a year of four digits, and digits or hyphens after it.
    fileprivate var isDate: Bool {
        let year = prefix { $0.isASCIIDigit }
        return year.count == 4 && allSatisfy { $0.isASCIIDigit || $0 == "-" }
    }
}
