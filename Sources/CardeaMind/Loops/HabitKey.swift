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

/// What a person said of a habit. It holds against all that is learned until it is taken back.
public enum HabitCorrection: Codable, Hashable, Sendable {
    /// What was learned is thrown away, and no more of it is learned.
    case forgotten
    /// It is to be shut by then.
    case shutBy(TimeOfDay)
    /// The sensor is to show something between the two.
    case between(low: Double, high: Double)
    /// In these hours of the week, 0 for Monday from midnight to one, it is open, on or at home, or it is not.
    case hours(Set<Int>, isActive: Bool)

    /// Why a correction cannot be kept.
    public enum CorrectionError: Error, Hashable, Sendable {
        /// It is not about that side of the habit.
        case doesNotFit
        case outOfRange
        /// No such sensor shows that; what one may show.
        case implausible(LevelRange)
        case tooMany
    }

    /// - Parameter deviceClass: of the sensor whose level it is about; nil where nobody knows.
    func check(for aspect: HabitKey.Aspect, of deviceClass: String?) throws(CorrectionError) {
        switch (self, aspect) {
        case (.forgotten, _), (.shutBy, .closing): return
        case (.between(let low, let high), .level):
            guard low.isFinite, high.isFinite, low <= high else { throw .outOfRange }
            guard let range = deviceClass.flatMap(LevelRange.init(of:)) else { return }
            guard range.lowest <= low, high <= range.highest else { throw .implausible(range) }
        case (.hours(let hours, _), .hours), (.hours(let hours, _), .home):
            guard !hours.isEmpty, hours.allSatisfy((0..<168).contains) else { throw .outOfRange }
        default: throw .doesNotFit
        }
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

/// A correction, whose it is and since when.
public struct CorrectedHabit: Codable, Hashable, Sendable {
    public let correction: HabitCorrection
    /// `person:{id}`.
    public let by: String
    public let at: Date
}
