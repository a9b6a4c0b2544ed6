import CardeaModel
import Foundation

/// What was understood last, for "and the day before?".
public struct ConversationContext: Hashable, Sendable {
    let question: Question?
    let commands: [CommandIntent]
    /// What the answer spoke of.
    let devices: [String]
    let people: [String]
    /// Something was said since that was not understood: what "it" is now, nobody knows.
    var isInterrupted = false
}
