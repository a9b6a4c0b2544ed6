import Foundation

/// How many pictures somebody may ask of one camera in a minute (Seed 003: 30).
struct PictureBudget {
    static let quota = 30
    static let window: TimeInterval = 60
    private var asked: [Date] = []

    /// Takes one, or says in how many seconds there is one again.
    mutating func take(at now: Date) -> TimeInterval? {
        asked.removeAll { now.timeIntervalSince($0) >= Self.window || $0 > now }
        if asked.count >= Self.quota, let first = asked.first { return Self.window - now.timeIntervalSince(first) }
        asked.append(now)
        return nil
    }

    /// Whether everything may be asked again.
    func isFresh(at now: Date) -> Bool { asked.allSatisfy { now.timeIntervalSince($0) >= Self.window } }
}
