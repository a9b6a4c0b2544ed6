import Foundation

/// Measurements of a phase. Durations are in seconds.
public struct PhaseMetrics: Codable, Hashable, Sendable {
    public private(set) var runs = 0
    /// The number of runs that failed or were done too late.
    public private(set) var failures = 0
    /// Of these, those that took too long.
    public private(set) var timeouts = 0
    /// The number of times it was skipped because its circuit breaker was open.
    public private(set) var skipped = 0
    public private(set) var last: TimeInterval?
    public private(set) var longest: TimeInterval = 0
    public private(set) var total: TimeInterval = 0
    public private(set) var lastAt: Date?

    public init() {}

    /// The metrics of several phases together: the sum of their counts, and the latest of the last measurements.
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

    mutating func record(_ outcome: Outcome, duration: TimeInterval, at now: Date) {
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
