import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import Foundation

/// The reason why a line cannot be imported, in words for its author.
struct HistoryImportError: Error, Hashable, CustomStringConvertible {
    let message: String

    var description: String { message }

    init(_ words: String) {
        self.message = words
    }
}
