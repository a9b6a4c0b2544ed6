import CardeaModel
import Foundation

/// Something that could be done, if the person says yes.
public struct Suggestion: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        case device(id: String, entityID: String, verb: Verb, value: Double?)
        case scene(id: String)
        /// To remember it, in these words.
        case memory(String)
    }

    public let action: Action
    /// "Turn off the hall light".
    public let words: String
}
