import CardeaModel
import Foundation

/// Puts what the house could not read into words that it can. Nobody, unless whoever runs the house names one; the mind declares this, and
/// whoever puts the house together fills it.
///
/// It is told a sentence and names, and no facts. What it says is read like any other sentence: answered from the house's own record, within
/// what whoever asks may see, and never done.
public protocol Reworder: Sendable {
    /// - Parameters:
    ///   - names: as whoever asks may know them.
    ///   - forms: sentences that the house reads, with places for names.
    /// - Returns: one sentence; nil where there is none, or none in time.
    func reword(_ sentence: String, knowing names: KnownNames, forms: [String]) async -> String?
}
