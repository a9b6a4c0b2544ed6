/// What the house can feel (Seed 004, item 21), in the order of the contract's vector.
public enum Emotion: String, Codable, Hashable, Sendable, CaseIterable {
    case happiness, worry, boredom, excitement

    /// Where it stands while nothing moves it, 0 to 1.
    public var baseline: Double {
        switch self {
        case .happiness: 0.6
        case .worry: 0.2
        case .boredom: 0.3
        case .excitement: 0.4
        }
    }

    /// How somebody is who feels it: "worried".
    var adjective: StateSentence {
        switch self {
        case .happiness: .happy
        case .worry: .worried
        case .boredom: .bored
        case .excitement: .excited
        }
    }
}

/// What feelings come from, and how much of them each sort can make up at most (the backend's weights; they add up to 1).
public enum CauseKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The house's own soundness: what is broken, out of reach or on fire, and its ways in at night.
    case health
    /// People: who comes, who goes, who is turned away at a door.
    case interaction
    /// The rooms, their air and their doors.
    case environment
    /// What the house was asked to do, and whether it could.
    case tasks
    /// What is new to it.
    case learning

    public var weight: Double {
        switch self {
        case .health: 0.3
        case .interaction: 0.25
        case .environment: 0.2
        case .tasks: 0.15
        case .learning: 0.1
        }
    }
}

/// How fast feelings move, per cycle (the backend's numbers).
public enum EmotionRules {
    /// No value moves by more in one cycle.
    public static let step = 0.3
    /// By so much a value falls back in one cycle when what moved it is over.
    public static let decay = 0.05
    /// Cycles after which nothing is left of a cause that is over, wherever the value stood.
    public static let memory = 20
}
