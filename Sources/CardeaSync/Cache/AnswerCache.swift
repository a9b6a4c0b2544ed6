import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation
import Synchronization

/// Caches answers of the house: important ones in the file, all of them in memory up to its capacity.
final class AnswerCache: Sendable {
    /// Bytes in memory.
    static let memoryCapacity = 2 << 20

    private let store: ReplicaStore
    private let memory: Mutex<LRUCache>

    init(store: ReplicaStore, most: Int = memoryCapacity) {
        self.store = store
        memory = Mutex(LRUCache(most: most))
    }

    private var table: CachedAnswerTable { CachedAnswerTable(sealing: store.sealing) }

    /// The cached answer, unless it has expired. An answer read from the file is also put into memory.
    func answer(to question: String, at now: Date) async throws -> CachedAnswer? {
        let (answers, mark) = (table, table.key(question))
        if let cached = memory.withLock({ $0.answer(mark) }) { return cached.expiresAt >= now ? cached : nil }
        guard let cached = try await store.read({ try answers.find(mark, in: $0) }), cached.expiresAt >= now else { return nil }
        memory.withLock { $0.store(cached, as: mark) }
        return cached
    }

    /// Stores an answer, unless a person was erased here since it was requested: it may contain their data.
    ///
    /// - Parameter erasures: the number of erasures at the time of the request.
    func insert(_ answer: CachedAnswer, to question: String, at now: Date, after erasures: Int) async throws {
        let (answers, mark) = (table, table.key(question))
        // In memory first: an erasure after the check below then removes it too.
        memory.withLock { $0.store(answer, as: mark) }
        let isCurrent =
            if answer.priority.isOnDisk {
                try await store.write { db in
                    guard try ReplicaErasure.count(in: db) == erasures else { return false }
                    try answers.store(answer, as: mark, now: now, in: db)
                    return true
                }
            } else {
                try await store.read { try ReplicaErasure.count(in: $0) } == erasures
            }
        if !isCurrent { memory.withLock { $0.remove(mark) } }
    }

    func remove(_ question: String) async throws {
        let (answers, mark) = (table, table.key(question))
        memory.withLock { $0.remove(mark) }
        try await store.write { try answers.remove(mark, in: $0) }
    }

    /// Clears the answers in memory; the file keeps its own.
    func clearMemory(below priority: CachePriority? = nil) {
        memory.withLock { $0.removeAll(below: priority) }
    }
}
