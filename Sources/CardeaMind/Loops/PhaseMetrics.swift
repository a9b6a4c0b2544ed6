import Foundation

/// What was measured of a phase. Durations in seconds.
public struct PhaseMetrics: Codable, Hashable, Sendable {
    public private(set) var runs = 0
    /// Those that failed, and those that were done too late.
    public private(set) var failures = 0
    /// Of these, those that took too long.
    public private(set) var timeouts = 0
    /// Times it was left out, for its breaker was open.
    public private(set) var skipped = 0
    public private(set) var last: TimeInterval?
    public private(set) var longest: TimeInterval = 0
    public private(set) var total: TimeInterval = 0
    public private(set) var lastAt: Date?

    public init() {}

    /// Of several phases together: their counts added up, and of what was measured last the last.
    init(of phases: [PhaseMetrics]) {
        func sum(_ count: KeyPath<PhaseMetrics, Int>) -> Int {
            phases.reduce(0) { sum, phase in
                let (more, isTooMuch) = sum.addingReportingOverflow(phase[keyPath: count])
                return isTooMuch ? Int.max : more
            }
        }
        (runs, failures, timeouts, skipped) = (sum(\.runs), sum(\.failures), sum(\.timeouts), sum(\.skipped))
        longest = phases.map(\.longest).max() ?? 0
        total = phases.reduce(0) { $0 + $1.total }
        let latest = phases.max { $0.lastAt ?? .distantPast < $1.lastAt ?? .distantPast }
        (last, lastAt) = (latest?.last, latest?.lastAt)
    }

    public var mean: TimeInterval? { runs > 0 ? total / Double(runs) : nil }

    enum Outcome { case done, failed, tookTooLong }

    mutating func record(_ outcome: Outcome, took duration: TimeInterval, at now: Date) {
        let duration = duration.isFinite ? min(max(duration, 0), 86400) : 0
        runs = Self.saturatingIncrement(runs)
        if outcome != .done { failures = Self.saturatingIncrement(failures) }
        if outcome == .tookTooLong { timeouts = Self.saturatingIncrement(timeouts) }
        (last, lastAt) = (duration, now)
        longest = max(longest, duration)
        total += duration
    }

    mutating func recordSkip() { skipped = Self.saturatingIncrement(skipped) }

    private static func saturatingIncrement(_ number: Int) -> Int { number < Int.max ? number + 1 : number }
}
