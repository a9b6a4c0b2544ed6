import CardeaModel
import Synchronization

/// All those that do.
final class PersonalDataProviders: Sendable {
    private let providers = Mutex<[any PersonalDataProvider]>([])

    func add(_ memory: any PersonalDataProvider) { providers.withLock { $0.append(memory) } }

    func personalData(of key: String) async throws -> [JSONValue] {
        var learned: [JSONValue] = []
        for memory in providers.withLock({ $0 }) { learned += try await memory.personalData(of: key) }
        return learned
    }

    /// - Returns: the number of deleted memories.
    func erase(_ key: String, names: [String]) async throws -> Int {
        var gone = 0
        for memory in providers.withLock({ $0 }) { gone += try await memory.erase(key, names: names) }
        return gone
    }
}
