import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation
import Synchronization

/// Answers of the house: those that matter in the file, all of them in memory as far as there is room.
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

    /// What is kept, if anybody still wants to see it. What lay in the file is in memory then.
    func answer(to question: String, at now: Date) async throws -> CachedAnswer? {
        let (answers, mark) = (table, table.key(question))
        if let kept = memory.withLock({ $0.answer(mark) }) { return kept.expiresAt >= now ? kept : nil }
        guard let kept = try await store.read({ try answers.find(mark, in: $0) }), kept.expiresAt >= now else { return nil }
        memory.withLock { $0.store(kept, as: mark) }
        return kept
    }

    /// Keeps an answer, unless somebody was taken out of here since it was asked for: it may speak of them.
    ///
    /// - Parameter erasures: how many had been taken out then.
    func insert(_ answer: CachedAnswer, to question: String, at now: Date, after erasures: Int) async throws {
        let (answers, mark) = (table, table.key(question))
        // In memory first: whoever is taken out after the look below takes it along.
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

    /// Those in memory; what lies in the file lies there on.
    func clearMemory(below priority: CachePriority? = nil) {
        memory.withLock { $0.removeAll(below: priority) }
    }
}
