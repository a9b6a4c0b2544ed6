import CardeaModel
import Foundation

/// Rewords a sentence that the house could not read. There is none by default; the operator of the house may configure one. The mind
/// declares this protocol, and the program that assembles the house implements it.
///
/// It receives a sentence and names, and no facts. Its output is read like any other sentence: answered from the house's own record, within
/// the requester's visibility, and never carried out.
public protocol Reworder: Sendable {
    /// - Parameters:
    ///   - names: the names that the requester may know.
    ///   - forms: sentences that the house can read, with places for names.
    /// - Returns: one sentence; nil if there is none, or none in time.
    func reword(_ sentence: String, knowing names: KnownNames, forms: [String]) async -> String?
}
