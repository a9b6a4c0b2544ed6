import Foundation

/// The answers in memory. When there are too many, the lowest priority is removed first, and of that the least recently used.
struct LRUCache: Sendable {
    /// The maximum size of all entries in bytes.
    let capacity: Int
    private(set) var bytes = 0
    private var answers: [Data: (answer: CachedAnswer, lastUse: UInt64)] = [:]
    private var useCounter: UInt64 = 0

    init(most: Int) { self.capacity = max(0, most) }

    var count: Int { answers.count }

    mutating func answer(_ mark: Data) -> CachedAnswer? {
        guard let found = answers[mark]?.answer else { return nil }
        answers[mark] = (found, nextUse())
        return found
    }

    /// Stores an answer, unless a newer one to the same query is here, or it exceeds the capacity by itself.
    mutating func store(_ answer: CachedAnswer, as mark: Data) {
        if let before = answers[mark]?.answer, before.askedAt > answer.askedAt { return }
        remove(mark)
        guard answer.json.count <= capacity / 4 else { return }
        answers[mark] = (answer, nextUse())
        bytes += answer.json.count
        while bytes > capacity, let least = answers.min(by: { Self.isEvictedBefore($0.value, $1.value) }) { remove(least.key) }
    }

    mutating func remove(_ mark: Data) {
        guard let gone = answers.removeValue(forKey: mark) else { return }
        bytes -= gone.answer.json.count
    }

    mutating func removeAll(below priority: CachePriority? = nil) {
        for (mark, cached) in answers where priority.map({ cached.answer.priority < $0 }) ?? true { remove(mark) }
    }

    private mutating func nextUse() -> UInt64 {
        useCounter &+= 1
        return useCounter
    }

    private typealias Entry = (answer: CachedAnswer, lastUse: UInt64)

    private static func isEvictedBefore(_ one: Entry, _ other: Entry) -> Bool {
        (one.answer.priority, one.lastUse) < (other.answer.priority, other.lastUse)
    }
}
