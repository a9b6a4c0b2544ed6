import Foundation

/// The number of pictures that a caller may ask of one camera in a minute (Seed 003: 30).
struct SlidingWindowRateLimit {
    static let quota = 30
    static let window: TimeInterval = 60
    private var requests: [Date] = []

    /// Uses one request; if none is left, returns the seconds until the next.
    mutating func consume(at now: Date) -> TimeInterval? {
        requests.removeAll { now.timeIntervalSince($0) >= Self.window || $0 > now }
        if requests.count >= Self.quota, let first = requests.first { return Self.window - now.timeIntervalSince(first) }
        requests.append(now)
        return nil
    }

    /// True if the full quota is available again.
    func isUnused(at now: Date) -> Bool { requests.allSatisfy { now.timeIntervalSince($0) >= Self.window } }
}
