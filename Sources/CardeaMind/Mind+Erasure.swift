import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Erases a person from the mind.
extension Mind {
    /// Erases everything about a person: what they told, what was learned about them, causes about them, and their authorship of
    /// corrections. When this returns, nothing of it is stored, and nothing of it is written again.
    ///
    /// - Parameters:
    ///   - key: `person:{id}`.
    ///   - names: the names they had, by which the mind's own sentences about them are found.
    /// - Returns: the number of deleted memories.
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
    /// Erases the person's hours of presence, and their name as the author of corrections. Their corrections of the house's habits stay
    /// valid.
    mutating func erase(person: String) {
        homes[person] = nil
        corrections[HabitKey(person, .home)] = nil
        for (key, corrected) in corrections where corrected.by == person {
            corrections[key] = AttributedHabitCorrection(correction: corrected.correction, by: "person:erased", at: corrected.at)
        }
    }
}

extension Memory {
    /// Returns true if the memory contains this name.
    fileprivate func mentions(of name: String) -> Bool {
        NameMention.contains(title, name) || NameMention.contains(content, name) || tags.contains { NameMention.contains($0, name) }
    }
}
