import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// What stands in the way of an action.
public struct RejectedAction: Hashable, Sendable {
    /// Which action, counted from 0.
    public let index: Int
    /// The gate's own name for it, where it is the gate that says no.
    public let refusal: Refusal?
    /// What is wrong, in words that follow the name of the action.
    public let reason: String

    public init(place: Int, refusal: Refusal?, words: String) {
        self.index = place
        self.refusal = refusal
        self.reason = words
    }
}
