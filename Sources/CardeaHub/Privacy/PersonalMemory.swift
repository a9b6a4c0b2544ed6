import CardeaModel
import Synchronization

/// Whoever remembers people beside the house's tables, in memory and on sheets of its own: the mind.
public protocol PersonalMemory: Sendable {
    /// What was learned of somebody, for them to take away: each an object whose `what` says what it is.
    ///
    /// - Parameter key: `person:{id}` or `guest:{id}`.
    func learned(of key: String) async throws -> [JSONValue]

    /// Lets go of everything about somebody, for good: when this returns nothing of it is written again.
    ///
    /// - Parameters:
    ///   - key: `person:{id}` or `guest:{id}`.
    ///   - names: what they were called; what was learned of them is known by it.
    /// - Returns: how many memories went.
    func forget(_ key: String, names: [String]) async throws -> Int
}

/// All those that do.
final class PersonalMemories: Sendable {
    private let known = Mutex<[any PersonalMemory]>([])

    func add(_ memory: any PersonalMemory) { known.withLock { $0.append(memory) } }

    func learned(of key: String) async throws -> [JSONValue] {
        var learned: [JSONValue] = []
        for memory in known.withLock({ $0 }) { learned += try await memory.learned(of: key) }
        return learned
    }

    /// - Returns: how many memories went.
    func forget(_ key: String, names: [String]) async throws -> Int {
        var gone = 0
        for memory in known.withLock({ $0 }) { gone += try await memory.forget(key, names: names) }
        return gone
    }
}
