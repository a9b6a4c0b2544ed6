/// The emotions of the house (Seed 004, item 21), in the order of the contract's vector.
public enum Emotion: String, Codable, Hashable, Sendable, CaseIterable {
    case happiness, worry, boredom, excitement

    /// The value without any cause, 0 to 1.
    public var baseline: Double {
        switch self {
        case .happiness: 0.6
        case .worry: 0.2
        case .boredom: 0.3
        case .excitement: 0.4
        }
    }

    /// The adjective for the emotion: "worried".
    var adjective: StateSentence {
        switch self {
        case .happiness: .happy
        case .worry: .worried
        case .boredom: .bored
        case .excitement: .excited
        }
    }
}
