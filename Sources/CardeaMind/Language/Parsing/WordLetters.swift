/// A word, prepared for comparing.
struct WordLetters: Hashable, Sendable {
    let text: String
    let letters: [UInt32]
    let hasDigit: Bool

    init(_ text: String) {
        self.text = text
        letters = text.unicodeScalars.map(\.value)
        hasDigit = text.contains(where: \.isNumber)
    }

    /// Spellings grouped by length.
    static func byLength(_ words: some Sequence<String>) -> [Int: [WordLetters]] {
        Dictionary(grouping: words.map(WordLetters.init), by: \.letters.count)
    }
}
