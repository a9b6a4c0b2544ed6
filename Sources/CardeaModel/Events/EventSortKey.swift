import Foundation

/// The number that sorts events by time.
public enum EventSortKey {
    /// Events of one millisecond at most.
    public static let perMillisecond: Int64 = 1 << 20
    /// A day in keys.
    public static let day: Int64 = 86_400_000 * perMillisecond

    /// The first key of a moment, in milliseconds since 1970. Times outside the years 1970 to 2200 are clamped.
    public static func first(at milliseconds: Int64) -> Int64 {
        min(max(milliseconds, 0), 7_258_118_400_000) * perMillisecond
    }

    public static func milliseconds(_ key: Int64) -> Int64 { key / perMillisecond }
}
