import CardeaModel
import Synchronization

/// Whoever remembers people beside the house's tables, in memory and on sheets of its own: the mind.
public protocol PersonalDataProvider: Sendable {
    /// What was learned of somebody, for them to take away: each an object whose `what` says what it is.
    ///
    /// - Parameter key: `person:{id}` or `guest:{id}`.
    func personalData(of key: String) async throws -> [JSONValue]

    /// Lets go of everything about somebody, for good: when this returns nothing of it is written again.
    ///
    /// - Parameters:
    ///   - key: `person:{id}` or `guest:{id}`.
    ///   - names: what they were called; what was learned of them is known by it.
    /// - Returns: how many memories went.
    func erase(_ key: String, names: [String]) async throws -> Int
}
