import CardeaModel
import Foundation

/// A correction, whose it is and since when.
public struct CorrectedHabit: Codable, Hashable, Sendable {
    public let correction: HabitCorrection
    /// `person:{id}`.
    public let by: String
    public let at: Date
}
