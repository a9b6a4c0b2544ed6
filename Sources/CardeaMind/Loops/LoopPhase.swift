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

/// Something that must not happen did. A part that gives no answer is a normal one; an answer that rests on what its asker may not be
/// told is a critical one (decision 0062).
public enum LoopViolation: String, Codable, Hashable, Sendable, CaseIterable {
    case normal, critical
}
