import Foundation

/// A violation of the loop's rules. A part that does not answer is a normal one; an answer based on data that its requester may not see is a
/// critical one (decision 0062).
public enum LoopViolation: String, Codable, Hashable, Sendable, CaseIterable {
    case normal, critical
}
