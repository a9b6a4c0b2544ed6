import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// An action that is not possible, with the reason.
public struct RejectedAction: Hashable, Sendable {
    /// The index of the action, counted from 0.
    public let index: Int
    /// The gate's refusal; nil if the gate did not refuse it.
    public let refusal: Refusal?
    /// The reason, in words that follow the name of the action.
    public let reason: String

    public init(place: Int, refusal: Refusal?, words: String) {
        self.index = place
        self.refusal = refusal
        self.reason = words
    }
}
