import CardeaModel
import Foundation

/// A command or a note that the person can confirm.
public struct Suggestion: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        case device(id: String, entityID: String, verb: Verb, value: Double?)
        case scene(id: String)
        /// A note to remember, in these words.
        case memory(String)
    }

    public let action: Action
    /// "Turn off the hall light".
    public let words: String
}
