import Foundation

/// A stretch of the past that is asked about, from the first moment to before the last.
public struct Period: Hashable, Sendable {
    /// Nil: as far back as anything is remembered.
    public var from: Date?
    /// Not part of it.
    public var to: Date
    /// How answers call it: "yesterday evening".
    public var words: String
    /// Whether it lies within one day of the house, so that a clock time says enough.
    public var isWithinDay = false

    public func contains(_ instant: Date) -> Bool { instant < to && from.map { instant >= $0 } ?? true }
}
