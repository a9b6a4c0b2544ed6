import CardeaModel

/// A range of words in a sentence, with its meaning.
struct SentenceToken: Hashable, Sendable {
    let range: Range<Int>
    let meaning: Meaning
    /// True if it was read from a misspelt word.
    let isGuessed: Bool

    enum Meaning: Hashable, Sendable {
        case sense(LexicalCategory)
        /// A name in the house, or a part of one. Several if several things share it.
        case named([Referent], isWhole: Bool)
        case time([TimeExpression])
        case amount(Double, LexicalCategory.UnitWord?)
        /// As near to one word as to another.
        case unclear([String])
        case unknown
    }

    var isDanger: Bool { if case .sense(let sense) = meaning { sense.isDanger } else { false } }
}
