import CardeaModel
import Foundation

/// The identity of a habit: its subject and its aspect.
public struct HabitKey: Codable, Hashable, Sendable, Comparable {
    /// An entity's id, or a person's key.
    public let subject: String
    public let aspect: Aspect

    public enum Aspect: String, Codable, Hashable, Sendable, CaseIterable {
        /// The time by which it is shut, locked or off for the night.
        case closing
        /// The hours of the week in which it is open or on, and for how long at a time.
        case hours
        /// The usual reading of a sensor, by hour of day.
        case level
        /// The hours of the week in which a person is at home.
        case home
    }

    public init(_ subject: String, _ aspect: Aspect) {
        self.subject = subject
        self.aspect = aspect
    }

    public static func < (one: HabitKey, other: HabitKey) -> Bool {
        (one.subject, one.aspect.rawValue) < (other.subject, other.aspect.rawValue)
    }
}

/// The range that a sensor's habit may be corrected to, in the unit in which the house stores it. It is wide enough for a freezer and for
/// a boiler, for solar power fed into the grid, and for the scale of any carbon dioxide sensor.
public struct LevelRange: Hashable, Sendable {
    public let lowest: Double
    public let highest: Double
    public let unit: String

    /// Nil for a class without learned levels.
    init?(of deviceClass: String) {
        switch deviceClass {
        case "temperature": (lowest, highest, unit) = (-60, 150, "°C")
        case "humidity": (lowest, highest, unit) = (0, 100, "%")
        case "power": (lowest, highest, unit) = (-100_000, 100_000, "W")
        case "carbon_dioxide": (lowest, highest, unit) = (0, 50_000, "ppm")
        default: return nil
        }
    }
}
