import Foundation

/// A device's own range, by which percents are computed: from just below its lowest value to its highest, which may be the lower one.
struct PercentRange: Hashable, Sendable {
    /// The value of zero percent.
    let none: Double
    /// The value of a hundred percent.
    let all: Double

    /// Whole percents of a value, rounded towards less, and not bounded. Nil if there are none.
    func percent(_ value: Double) -> Double? {
        PythonNumber.floorDivide((value - none) * 100, by: all - none).flatMap { $0.magnitude < 1e9 ? $0 : nil }
    }

    /// The device's own value for a percentage, not rounded.
    func value(_ percent: Double) -> Double { percent * (all - none) / 100 + none }
}
