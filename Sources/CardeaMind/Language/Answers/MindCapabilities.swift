import CardeaModel
import Foundation

/// Parts of the mind that some questions need. If one is nil, the answer says that the house cannot tell.
public struct MindCapabilities: Sendable {
    public typealias Mood = @Sendable (QueryIntent.Feeling?, RequesterVisibility) async throws -> Reply
    public typealias WhatIf = @Sendable (WhatIfIntent, HouseSnapshot, RequesterVisibility) async throws -> Reply
    public typealias Memory = @Sendable (QueryIntent, RequesterVisibility) async throws -> Reply

    public var mood: Mood?
    public var whatIf: WhatIf?
    /// For `.remember` and `.recall`.
    public var memory: Memory?

    public init(mood: Mood? = nil, whatIf: WhatIf? = nil, memory: Memory? = nil) {
        self.mood = mood
        self.whatIf = whatIf
        self.memory = memory
    }
}
