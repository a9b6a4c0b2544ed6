import CardeaModel
import Foundation

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
