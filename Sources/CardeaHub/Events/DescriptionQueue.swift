import Foundation

/// A queue of events to be described, as a value. The newest comes first: the person at the door now matters more than earlier ones.
struct DescriptionQueue: Sendable {
    struct Item: Hashable, Sendable {
        let id: String
        let at: Date
        var attempts = 0
    }

    /// The number of events described at a time, and the number that may wait; beyond it the oldest stay without a description.
    static let concurrency = 2
    static let capacity = 32
    /// Seconds after which an event is no longer described: no one wants to pay for last night's pictures.
    static let maxAge: TimeInterval = 600
    /// The number of attempts for one event.
    static let maxAttempts = 4
    /// Seconds before a second attempt, and the longest before any, if the describer does not say.
    static let initialBackoff: TimeInterval = 2
    static let maxBackoff: TimeInterval = 300

    /// Oldest first.
    private(set) var pending: [Item] = []
    private var inProgress: Set<String> = []
    /// The number of consecutive failures.
    private var failures = 0
    private var backoffUntil = Date.distantPast

    mutating func add(_ one: Item, at now: Date) {
        guard Self.isFresh(one, at: now), !inProgress.contains(one.id), !pending.contains(where: { $0.id == one.id }) else { return }
        pending.insert(one, at: pending.firstIndex { $0.at > one.at } ?? pending.endIndex)
        if pending.count > Self.capacity { pending.removeFirst() }
    }

    /// Returns the next event and marks it in progress; nil if there is none, no slot is free, or the describer is paused.
    mutating func dequeue(at now: Date) -> Item? {
        pending.removeAll { !Self.isFresh($0, at: now) }
        // After a failure the describer is tried with one event, and not with all slots.
        guard inProgress.count < (failures == 0 ? Self.concurrency : 1), now >= backoffUntil, let one = pending.popLast() else {
            return nil
        }
        inProgress.insert(one.id)
        return one
    }

    /// Ends an event's attempt: it is done, or waits again.
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

    /// The end of the pause after a failure, if events are waiting; otherwise nil: a free slot or a new event wakes the queue.
    func nextAttempt(at now: Date) -> Date? {
        pending.isEmpty || backoffUntil <= now ? nil : backoffUntil
    }

    private static func isFresh(_ one: Item, at now: Date) -> Bool { now.timeIntervalSince(one.at) <= maxAge }
}
