import CardeaModel
import Foundation

/// What the house is doing (Seed 004, item 20).
public enum ConsciousnessStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// It perceives the house and feels.
    case active
    /// Its senses do not answer.
    case inactive
    /// It is busy with something that takes long.
    case processing
    /// The house is quiet, and nobody is up.
    case sleeping
}
