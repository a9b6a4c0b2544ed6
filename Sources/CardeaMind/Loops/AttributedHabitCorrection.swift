import CardeaModel
import Foundation

/// A correction with its author and time.
public struct AttributedHabitCorrection: Codable, Hashable, Sendable {
    public let correction: HabitCorrection
    /// `person:{id}`.
    public let by: String
    public let at: Date
}
