import Foundation

/// The public status of a loop.
public struct LoopStatus: Codable, Hashable, Sendable, Identifiable {
    public let id: String
    public let name: String
    public let status: LoopState
    public let currentPhase: LoopPhase?
    public let rounds: Int
    /// The reason for its safe mode.
    public let safeMode: String?
    /// Within the last hour.
    public let violations: Int
    public let learnedAt: Date?
    /// In their order.
    public let phases: [Phase]

    /// The metrics of all phases together. A round takes as long as the sum of its phases.
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
