import CardeaModel
import Foundation

/// A reported state in an entity's history, for a plot.
public struct TwinHistoryEntry: Hashable, Sendable {
    public let at: Date
    /// The reported state.
    public let state: String
    /// The state as a number, if it is one.
    public let number: Double?
}
