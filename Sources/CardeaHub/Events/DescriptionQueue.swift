import Foundation

/// Events that wait for words, as a value. The newest is next: who is at the door now matters before who was.
struct DescriptionQueue: Sendable {
    struct Waiting: Hashable, Sendable {
        let id: String
        let at: Date
        var tries = 0
    }

    /// How many are asked about at a time, and how many more may wait; beyond it the oldest stay without words.
    static let hands = 2
    static let mayWait = 32
    /// Seconds after which it is too late for words: the bill for last night's pictures is nobody's wish.
    static let fresh: TimeInterval = 600
    /// How often one event is asked about.
    static let mostTries = 4
    /// Seconds before a second try, and the longest before any, where the describer does not say.
    static let firstWait: TimeInterval = 2
    static let longestWait: TimeInterval = 300

    /// Oldest first.
    private(set) var waiting: [Waiting] = []
    private var underWay: Set<String> = []
    /// One after the other.
    private var failures = 0
    private var restsUntil = Date.distantPast

    mutating func add(_ one: Waiting, at now: Date) {
        guard Self.isFresh(one, at: now), !underWay.contains(one.id), !waiting.contains(where: { $0.id == one.id }) else { return }
        waiting.insert(one, at: waiting.firstIndex { $0.at > one.at } ?? waiting.endIndex)
        if waiting.count > Self.mayWait { waiting.removeFirst() }
    }

    /// The next to be asked about, which is under way then; nil where there is none, no hand is free, or the describer rests.
    mutating func take(at now: Date) -> Waiting? {
        waiting.removeAll { !Self.isFresh($0, at: now) }
        // A describer that did not answer is tried by one, and not by all.
        guard underWay.count < (failures == 0 ? Self.hands : 1), now >= restsUntil, let one = waiting.popLast() else { return nil }
        underWay.insert(one.id)
        return one
    }

    /// One that was under way is over, or waits again.
    mutating func settle(_ one: Waiting, _ outcome: PictureDescription, at now: Date) {
        underWay.remove(one.id)
        guard case .later(let after) = outcome else {
            failures = 0
            return
        }
        let wait = min(Self.longestWait, Self.firstWait * pow(2, Double(min(failures, 12))))
        restsUntil = max(restsUntil, now.addingTimeInterval(max(wait, Double(after ?? 0))))
        failures += 1
        var again = one
        again.tries += 1
        if again.tries < Self.mostTries { add(again, at: now) }
    }

    /// When there may be something to take though nothing happens before; nil where somebody's hand or a new event is waited for.
    func next(at now: Date) -> Date? {
        waiting.isEmpty || restsUntil <= now ? nil : restsUntil
    }

    private static func isFresh(_ one: Waiting, at now: Date) -> Bool { now.timeIntervalSince(one.at) <= fresh }
}
