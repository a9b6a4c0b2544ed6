/// Whoever remembers people beside the house's tables, in memory and on sheets of its own: the mind.
public protocol PersonalMemory: Sendable {
    /// Lets go of everything about somebody, for good: when this returns nothing of it is written again.
    ///
    /// - Parameter names: what they were called; what was learned of them is known by it.
    /// - Returns: how many memories went.
    func forget(personID: String, names: [String]) async throws -> Int
}
