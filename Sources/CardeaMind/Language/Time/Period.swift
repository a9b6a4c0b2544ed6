import Foundation

/// A period of the past, from its first moment to before its last.
public struct Period: Hashable, Sendable {
    /// Nil: as far back as the record goes.
    public var from: Date?
    /// The end, exclusive.
    public var to: Date
    /// The words for it in answers: "yesterday evening".
    public var words: String
    /// True if the period lies within one day of the house, so that a clock time is enough.
    public var isWithinDay = false

    public func contains(_ instant: Date) -> Bool { instant < to && from.map { instant >= $0 } ?? true }
}
