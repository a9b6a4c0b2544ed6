import Foundation

/// The four parts of a loop (SAFLA: sense, analyse, feedback, learn), in their order.
public enum LoopPhase: String, Codable, Hashable, Sendable, CaseIterable {
    case sense, analyze, feedback, learn

    /// Seconds that it should take at most. A longer run is counted as a timeout, but waited for up to `LoopRules.response`.
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

    /// True if the round can continue when this phase fails. Without sensing and analysis there is nothing to answer or learn from.
    var isOptional: Bool { self == .feedback || self == .learn }
}
