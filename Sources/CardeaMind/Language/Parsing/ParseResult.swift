import CardeaModel
import Foundation

/// What became of a sentence.
enum ParseResult: Hashable, Sendable {
    case question(Question)
    case commands([CommandIntent])
    /// Several in one sentence, each whole in itself.
    case several([ParseResult])
    /// Words nobody knows here.
    case unknown([String])
    /// As near to one word as to another; what may have been meant.
    case unclear([String])
    /// Every word is known, and together they are no question the house can answer.
    case notAQuestion
    case unclearTime
    case future
    /// "It", and nothing was spoken of before.
    case unresolvedPronoun
    case empty
}
