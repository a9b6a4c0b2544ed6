import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Letting go of somebody.
extension Mind {
    /// Forgets everything about somebody: what they told it, what it learned of them, how it felt about them, and what they said of habits.
    /// When this returns nothing of it is kept, and nothing of it is written again.
    ///
    /// - Parameters:
    ///   - key: `person:{id}`.
    ///   - names: what they were called: what it told itself of them is known by that.
    /// - Returns: how many memories went.
    public func erase(person key: String, names: [String]) async throws -> Int {
        try await interviews.erase(person: String(key.drop { $0 != ":" }.dropFirst()))
        let gone = try await store.read { db in
            try MemoryRecords.all(db).map(\.memory).filter { memory in
                memory.person == key || memory.source != .userInteraction && names.contains { memory.mentions(of: $0) }
            }.map(\.id)
        }
        let removed = try await store.write { db in try gone.count { try MemoryRecords.remove($0, in: db) } }
        state.withLock { inner in
            inner.mood.removeCauses(key)
            inner.habits?.erase(person: key)
            inner.people.remove(key)
        }
        try await saveState()
        return removed
    }
}

extension Habits {
    /// Lets go of when somebody was at home, and of who it was that put a habit right: what they said of the house holds.
    mutating func erase(person: String) {
        homes[person] = nil
        corrections[HabitKey(person, .home)] = nil
        for (key, corrected) in corrections where corrected.by == person {
            corrections[key] = CorrectedHabit(correction: corrected.correction, by: "person:erased", at: corrected.at)
        }
    }
}

extension Memory {
    /// Whether it speaks of somebody by name.
    fileprivate func mentions(of name: String) -> Bool {
        NameMention.contains(title, name) || NameMention.contains(content, name) || tags.contains { NameMention.contains($0, name) }
    }
}
