import Foundation

/// The four parts of a loop (SAFLA: sense, analyse, feedback, learn), in their order.
public enum LoopPhase: String, Codable, Hashable, Sendable, CaseIterable {
    case sense, analyze, feedback, learn

    /// Seconds that it should take at most. What takes longer is counted; it is waited for as long as any answer (`LoopRules.response`).
    public var timeout: TimeInterval {
        switch self {
        case .sense: 0.05
        case .analyze: 0.2
        case .feedback: 0.15
        case .learn: 0.5
        }
    }

    var next: LoopPhase? {
        switch self {
        case .sense: .analyze
        case .analyze: .feedback
        case .feedback: .learn
        case .learn: nil
        }
    }

    /// Whether a loop can go on in this round without it: what was not sensed or understood can be neither answered nor learned.
    var isOptional: Bool { self == .feedback || self == .learn }
}

/// How a loop stands.
public enum LoopState: String, Codable, Hashable, Sendable, CaseIterable {
    /// It was never started.
    case inactive
    /// It gets ready.
    case initializing
    case running
    /// Somebody holds it.
    case paused
    /// It could not get ready, or what it cannot do without keeps failing.
    case error
    /// Somebody ended it.
    case shutdown
    /// It senses and analyses, and neither feels, nor tells of what is unusual, nor learns, until somebody says that it may. Who asks is answered.
    case safeMode = "safe_mode"
}

/// Rules of the loops, as the contract has them. Seconds.
public enum LoopRules {
    /// From the beginning of one round to the next.
    public static let round: TimeInterval = 0.1
    /// It learns no more often than this.
    public static let learning: TimeInterval = 60
    /// An answer that takes so long is a violation, and is not waited for.
    public static let response: TimeInterval = 30
    /// So many violations within the hour end in safe mode; of the critical ones, one.
    public static let violations = 5
    public static let window: TimeInterval = 3600
}

/// Something that must not happen did. A part that gives no answer is a normal one; an answer that rests on what its asker may not be
/// told is a critical one (decision 0062).
public enum LoopViolation: String, Codable, Hashable, Sendable, CaseIterable {
    case normal, critical
}

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
