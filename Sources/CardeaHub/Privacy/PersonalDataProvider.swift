import CardeaModel
import Synchronization

/// Holds personal data outside the house's tables, in memory and in its own files: the mind.
public protocol PersonalDataProvider: Sendable {
    /// Returns the learned facts about a person, for their export: each an object whose `what` says what it is.
    ///
    /// - Parameter key: `person:{id}` or `guest:{id}`.
    func personalData(of key: String) async throws -> [JSONValue]

    /// Erases everything about a person for good: after it returns nothing of it is written again.
    ///
    /// - Parameters:
    ///   - key: `person:{id}` or `guest:{id}`.
    ///   - names: their names, by which facts learned about them are found.
    /// - Returns: the number of erased memories.
    func erase(_ key: String, names: [String]) async throws -> Int
}
