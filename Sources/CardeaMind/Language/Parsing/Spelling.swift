/// A word, prepared for comparing.
struct Spelling: Hashable, Sendable {
    let text: String
    let letters: [UInt32]
    let hasDigit: Bool

    init(_ text: String) {
        self.text = text
        letters = text.unicodeScalars.map(\.value)
        hasDigit = text.contains(where: \.isNumber)
    }

    /// Spellings grouped by length.
    static func byLength(_ words: some Sequence<String>) -> [Int: [Spelling]] {
        Dictionary(grouping: words.map(Spelling.init), by: \.letters.count)
    }
}
