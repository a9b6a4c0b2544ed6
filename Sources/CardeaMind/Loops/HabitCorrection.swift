import CardeaModel
import Foundation

/// A person's correction of a habit. It overrides everything learned until it is withdrawn.
public enum HabitCorrection: Codable, Hashable, Sendable {
    /// The learned habit is deleted and not learned again.
    case forgotten
    /// The time by which it should be shut.
    case shutBy(TimeOfDay)
    /// The range of the sensor's usual readings.
    case between(low: Double, high: Double)
    /// Hours of the week, 0 for Monday from midnight to one, in which it is usually open, on or at home, or usually not.
    case hours(Set<Int>, isActive: Bool)

    /// The reason why a correction is not accepted.
    public enum CorrectionError: Error, Hashable, Sendable {
        /// The correction is for another aspect of habits.
        case doesNotFit
        case outOfRange
        /// The value is outside the range that such a sensor can show.
        case implausible(LevelRange)
        case tooMany
    }

    /// - Parameter deviceClass: the class of the sensor whose level is corrected; nil if it is not known.
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
