import CardeaModel
import Foundation

/// `GET /api/v1/safla/status`: the loops in which the house senses, analyses, answers and learns.
public struct LoopsAnswer: Codable, Sendable {
    /// Those that run.
    public let activeLoops: Int
    public let loops: [LoopAnswer]

    enum CodingKeys: String, CodingKey {
        case loops
        case activeLoops = "active_loops"
    }

    public init(activeLoops: Int, loops: [LoopAnswer]) {
        self.activeLoops = activeLoops
        self.loops = loops
    }
}

/// One loop.
public struct LoopAnswer: Codable, Sendable {
    public let id: String
    public let name: String
    /// `inactive`, `initializing`, `running`, `paused`, `error`, `shutdown` or `safe_mode`.
    public let status: String
    public let rounds: Int
    /// Within the last hour.
    public let violations: Int
    public let phases: [LoopPhaseAnswer]
    /// Of all its phases together; nil from a hub that does not add them up yet.
    public let metrics: LoopMetricsAnswer?
    /// `sense`, `analyze`, `feedback` or `learn`, while one is under way.
    @Nullable public private(set) var currentPhase: String?
    /// The reason why it is in safe mode.
    @Nullable public private(set) var safeMode: String?
    @Nullable public private(set) var learnedAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, name, status, rounds, violations, phases, metrics
        case currentPhase = "current_phase"
        case safeMode = "safe_mode"
        case learnedAt = "learned_at"
    }

    public init(
        id: String, name: String, status: String, rounds: Int, violations: Int, phases: [LoopPhaseAnswer], metrics: LoopMetricsAnswer?,
        currentPhase: String?, safeMode: String?, learnedAt: Date?
    ) {
        self.id = id
        self.name = name
        self.status = status
        self.rounds = rounds
        self.violations = violations
        self.phases = phases
        self.metrics = metrics
        self.currentPhase = currentPhase
        self.safeMode = safeMode
        self.learnedAt = learnedAt
    }
}

/// One part of a loop's round, with its breaker.
public struct LoopPhaseAnswer: Codable, Sendable {
    public let phase: String
    /// The time limit in milliseconds; later results are counted.
    public let timeout: Double
    /// `closed`, `open` or `half_open`.
    public let breaker: String
    /// In a row.
    public let failures: Int
    public let metrics: LoopMetricsAnswer

    public init(phase: String, timeout: Double, breaker: String, failures: Int, metrics: LoopMetricsAnswer) {
        self.phase = phase
        self.timeout = timeout
        self.breaker = breaker
        self.failures = failures
        self.metrics = metrics
    }
}

/// Measurements of a loop; times in milliseconds.
public struct LoopMetricsAnswer: Codable, Sendable {
    public let runs: Int
    /// Those that failed, and those that were done too late.
    public let failures: Int
    /// Of these, those that took too long.
    public let timeouts: Int
    /// Skipped, because its breaker was open.
    public let skipped: Int
    public let longest: Double
    @Nullable public private(set) var last: Double?
    @Nullable public private(set) var mean: Double?

    public init(runs: Int, failures: Int, timeouts: Int, skipped: Int, longest: Double, last: Double?, mean: Double?) {
        self.runs = runs
        self.failures = failures
        self.timeouts = timeouts
        self.skipped = skipped
        self.longest = longest
        self.last = last
        self.mean = mean
    }
}

/// `POST /api/v1/safla/trigger`
public struct TriggerLoopBody: WireFormat.Body, Encodable, Sendable {
    public var loopID: String
    public var parameters: LoopParametersBody?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case parameters
        case loopID = "loop_id"
    }

    public init(loopID: String, leavesSafeMode: Bool = false) {
        self.loopID = loopID
        parameters = leavesSafeMode ? LoopParametersBody(leaveSafeMode: true) : nil
    }
}

/// The parameters of a loop that a caller may set.
public struct LoopParametersBody: WireFormat.Body, Encodable, Sendable {
    /// True to let it answer and learn again.
    public var leaveSafeMode: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case leaveSafeMode = "leave_safe_mode"
    }

    public init(leaveSafeMode: Bool?) {
        self.leaveSafeMode = leaveSafeMode
    }

    public init(from decoder: any Decoder) throws {
        leaveSafeMode = try decoder.closedContainer(keyedBy: CodingKeys.self).decodeIfPresent(Bool.self, forKey: .leaveSafeMode)
    }
}

/// A requested run of a loop.
public struct TriggeredLoopAnswer: Codable, Sendable {
    public let loopID: String
    public let triggerID: String
    public let status: String
    /// Milliseconds that a round takes at most.
    public let estimatedCompletion: Int

    enum CodingKeys: String, CodingKey {
        case status
        case loopID = "loop_id"
        case triggerID = "trigger_id"
        case estimatedCompletion = "estimated_completion"
    }

    public init(loopID: String, triggerID: String, estimatedCompletion: Int) {
        self.loopID = loopID
        self.triggerID = triggerID
        status = "initiated"
        self.estimatedCompletion = estimatedCompletion
    }
}
