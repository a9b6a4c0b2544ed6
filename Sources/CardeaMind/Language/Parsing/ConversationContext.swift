import CardeaModel
import Foundation

/// The sentence that was understood last, for "and the day before?".
public struct ConversationContext: Hashable, Sendable {
    let question: Question?
    let commands: [CommandIntent]
    /// The ids of the devices in the answer.
    let devices: [String]
    let people: [String]
    /// True if a later sentence was not understood, so that "it" is unclear.
    var isInterrupted = false
}
