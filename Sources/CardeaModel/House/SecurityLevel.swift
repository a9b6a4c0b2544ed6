import Foundation

public enum SecurityLevel: String, Codable, Hashable, Sendable, CaseIterable {
    case low, medium, high, maximum
}
