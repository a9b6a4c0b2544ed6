import Foundation

/// Events that wait for words, as a value. The newest is next: who is at the door now matters before who was.
struct DescriptionQueue: Sendable {
    struct Item: Hashable, Sendable {
        let id: String
        let at: Date
        var attempts = 0
    }

    /// How many are asked about at a time, and how many more may wait; beyond it the oldest stay without words.
    static let concurrency = 2
    static let capacity = 32
    /// Seconds after which it is too late for words: the bill for last night's pictures is nobody's wish.
    static let maxAge: TimeInterval = 600
    /// How often one event is asked about.
    static let maxAttempts = 4
    /// Seconds before a second try, and the longest before any, where the describer does not say.
    static let initialBackoff: TimeInterval = 2
    static let maxBackoff: TimeInterval = 300

    /// Oldest first.
    private(set) var pending: [Item] = []
    private var inProgress: Set<String> = []
    /// One after the other.
    private var failures = 0
    private var backoffUntil = Date.distantPast

    mutating func add(_ one: Item, at now: Date) {
        guard Self.isFresh(one, at: now), !inProgress.contains(one.id), !pending.contains(where: { $0.id == one.id }) else { return }
        pending.insert(one, at: pending.firstIndex { $0.at > one.at } ?? pending.endIndex)
        if pending.count > Self.capacity { pending.removeFirst() }
    }

    /// The next to be asked about, which is under way then; nil where there is none, no hand is free, or the describer rests.
    mutating func dequeue(at now: Date) -> Item? {
        pending.removeAll { !Self.isFresh($0, at: now) }
        // A describer that did not answer is tried by one, and not by all.
        guard inProgress.count < (failures == 0 ? Self.concurrency : 1), now >= backoffUntil, let one = pending.popLast() else {
            return nil
        }
        inProgress.insert(one.id)
        return one
    }

    /// One that was under way is over, or waits again.
    mutating func complete(_ one: Item, _ outcome: PictureDescriptionResult, at now: Date) {
        inProgress.remove(one.id)
        guard case .retry(let after) = outcome else {
            failures = 0
            return
        }
        let wait = min(Self.maxBackoff, Self.initialBackoff * pow(2, Double(min(failures, 12))))
        backoffUntil = max(backoffUntil, now.addingTimeInterval(max(wait, Double(after ?? 0))))
        failures += 1
        var again = one
        again.attempts += 1
        if again.attempts < Self.maxAttempts { add(again, at: now) }
    }

    /// When there may be something to take though nothing happens before; nil where somebody's hand or a new event is waited for.
    func nextAttempt(at now: Date) -> Date? {
        pending.isEmpty || backoffUntil <= now ? nil : backoffUntil
    }

    private static func isFresh(_ one: Item, at now: Date) -> Bool { now.timeIntervalSince(one.at) <= maxAge }
}
