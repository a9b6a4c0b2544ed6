import Foundation

/// A loop as whoever looks at it sees it.
public struct LoopStatus: Codable, Hashable, Sendable, Identifiable {
    public let id: String
    public let name: String
    public let status: LoopState
    public let currentPhase: LoopPhase?
    public let rounds: Int
    /// Why it is in safe mode.
    public let safeMode: String?
    /// Within the last hour.
    public let violations: Int
    public let learnedAt: Date?
    /// In their order.
    public let phases: [Phase]

    /// What was measured of all of them together; a round is no longer than its phases.
    public var metrics: PhaseMetrics { PhaseMetrics(of: phases.map(\.metrics)) }

    public struct Phase: Codable, Hashable, Sendable {
        public let phase: LoopPhase
        /// Seconds.
        public let timeout: TimeInterval
        public let breaker: LoopCircuitBreaker.State
        /// In a row.
        public let failures: Int
        public let metrics: PhaseMetrics
    }
}
