import Foundation

/// Decides which numbers are kept, and for how long.
public enum ReadingPolicy {
    /// Seconds between two readings of one sensor.
    public static let minimumInterval: TimeInterval = 10
    /// A change of more than this part of the larger value is kept at once.
    public static let significantChange = 0.1
    /// More points than this are not one answer.
    public static let pointLimit = 2000

    /// Returns the number to store for a sensor's state; nil if it is not a finite number.
    public static func number(_ state: EntityState, of kind: EntityKind) -> Double? {
        guard kind == .sensor, let number = Double(state.value), number.isFinite else { return nil }
        return number
    }

    /// The beginning of the hour, in milliseconds since 1970.
    public static func hour(of milliseconds: Int64) -> Int64 {
        let within = milliseconds % 3_600_000
        return milliseconds - (within < 0 ? within + 3_600_000 : within)
    }
}
