/// A word taken apart for comparing.
struct Spelling: Hashable, Sendable {
    let text: String
    let letters: [UInt32]
    let hasDigit: Bool

    init(_ text: String) {
        self.text = text
        letters = text.unicodeScalars.map(\.value)
        hasDigit = text.contains(where: \.isNumber)
    }

    /// Many words, by their length.
    static func byLength(_ words: some Sequence<String>) -> [Int: [Spelling]] {
        Dictionary(grouping: words.map(Spelling.init), by: \.letters.count)
    }
}
