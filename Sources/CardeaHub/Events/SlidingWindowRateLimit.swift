import Foundation

/// How many pictures somebody may ask of one camera in a minute (Seed 003: 30).
struct SlidingWindowRateLimit {
    static let quota = 30
    static let window: TimeInterval = 60
    private var requests: [Date] = []

    /// Takes one, or says in how many seconds there is one again.
    mutating func consume(at now: Date) -> TimeInterval? {
        requests.removeAll { now.timeIntervalSince($0) >= Self.window || $0 > now }
        if requests.count >= Self.quota, let first = requests.first { return Self.window - now.timeIntervalSince(first) }
        requests.append(now)
        return nil
    }

    /// Whether everything may be asked again.
    func isUnused(at now: Date) -> Bool { requests.allSatisfy { now.timeIntervalSince($0) >= Self.window } }
}
