import CardeaModel
import Foundation

/// A habit for display.
public struct Habit: Hashable, Sendable, Identifiable {
    public let key: HabitKey
    public let words: ParameterizedSentence
    /// The device it is about, by id; nil for a person.
    public let deviceID: String?
    /// The number of days or nights it is based on.
    public let days: Int
    /// 0 to 1.
    public let sureness: Double
    public let correction: AttributedHabitCorrection?

    public var id: HabitKey { key }
}
