import CardeaModel
import Foundation

/// The result of parsing a sentence.
enum ParseResult: Hashable, Sendable {
    case question(Question)
    case commands([CommandIntent])
    /// Several complete sentences in one.
    case several([ParseResult])
    /// Words that are neither known words nor names.
    case unknown([String])
    /// As near to one word as to another. The value lists the possible words.
    case unclear([String])
    /// Every word is known, but together they are no question that can be answered.
    case notAQuestion
    case unclearTime
    case future
    /// "It", and nothing was mentioned before.
    case unresolvedPronoun
    case empty
}
