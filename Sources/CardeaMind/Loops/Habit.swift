import CardeaModel
import Foundation

/// A habit as a person reads it.
public struct Habit: Hashable, Sendable, Identifiable {
    public let key: HabitKey
    public let words: ParameterizedSentence
    /// The device it is about, by id; nil for a person.
    public let deviceID: String?
    /// Days or nights it rests on.
    public let days: Int
    /// 0 to 1.
    public let sureness: Double
    public let correction: CorrectedHabit?

    public var id: HabitKey { key }
}
