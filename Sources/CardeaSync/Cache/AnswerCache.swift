import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation
import Synchronization

/// Answers of the house: those that matter in the file, all of them in memory as far as there is room.
final class AnswerCache: Sendable {
    /// Bytes in memory.
    static let most = 2 << 20

    private let store: ReplicaStore
    private let shelf: Mutex<AnswerShelf>

    init(store: ReplicaStore, most: Int = most) {
        self.store = store
        shelf = Mutex(AnswerShelf(most: most))
    }

    private var answers: Answers { Answers(sealing: store.sealing) }

    /// What is kept, if anybody still wants to see it. What lay in the file is in memory then.
    func answer(to question: String, at now: Date) async throws -> KeptAnswer? {
        let (answers, mark) = (answers, answers.mark(question))
        if let kept = shelf.withLock({ $0.answer(mark) }) { return kept.keepUntil >= now ? kept : nil }
        guard let kept = try await store.read({ try answers.one(mark, in: $0) }), kept.keepUntil >= now else { return nil }
        shelf.withLock { $0.put(kept, as: mark) }
        return kept
    }

    /// Keeps an answer, unless somebody was taken out of here since it was asked for: it may speak of them.
    ///
    /// - Parameter erasures: how many had been taken out then.
    func keep(_ answer: KeptAnswer, to question: String, at now: Date, after erasures: Int) async throws {
        let (answers, mark) = (answers, answers.mark(question))
        // In memory first: whoever is taken out after the look below takes it along.
        shelf.withLock { $0.put(answer, as: mark) }
        let isCurrent =
            if answer.priority.isOnDisk {
                try await store.write { db in
                    guard try Erased.count(in: db) == erasures else { return false }
                    try answers.put(answer, as: mark, now: now, in: db)
                    return true
                }
            } else {
                try await store.read { try Erased.count(in: $0) } == erasures
            }
        if !isCurrent { shelf.withLock { $0.remove(mark) } }
    }

    func forget(_ question: String) async throws {
        let (answers, mark) = (answers, answers.mark(question))
        shelf.withLock { $0.remove(mark) }
        try await store.write { try answers.remove(mark, in: $0) }
    }

    /// Those in memory; what lies in the file lies there on.
    func clearMemory(below priority: CachePriority? = nil) {
        shelf.withLock { $0.removeAll(below: priority) }
    }
}
