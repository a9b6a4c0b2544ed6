import CardeaModel
import Foundation

/// Which habit is meant: of what, and which side of it.
public struct HabitKey: Codable, Hashable, Sendable, Comparable {
    /// An entity's id, or a person's key.
    public let subject: String
    public let aspect: Aspect

    public enum Aspect: String, Codable, Hashable, Sendable, CaseIterable {
        /// By when it is shut, locked or off for the night.
        case closing
        /// In which hours of the week it is open or on, and for how long at a time.
        case hours
        /// What a sensor shows, by the hour of the day.
        case level
        /// In which hours of the week somebody is at home.
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

/// What a sensor in a house may show at all, in the unit in which the house keeps it: wide enough for a freezer and for a boiler, for what the
/// roof gives to the grid, and for the scale of any sensor of carbon dioxide.
public struct LevelRange: Hashable, Sendable {
    public let lowest: Double
    public let highest: Double
    public let unit: String

    /// Nil for a class of which no level is learned.
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
