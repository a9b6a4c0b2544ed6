import CardeaModel
import Foundation

/// The activity that the house is in (Seed 004, item 20).
public enum ConsciousnessStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// It perceives the house and feels.
    case active
    /// The house cannot be read.
    case inactive
    /// A phase of its loop takes long.
    case processing
    /// The house is quiet, and no person is active.
    case sleeping
}
