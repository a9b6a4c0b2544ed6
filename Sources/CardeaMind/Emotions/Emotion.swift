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

/// The kinds of causes, each with the largest share of an emotion that it can make up (the backend's weights; they add up to 1).
public enum CauseKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The condition of the house: broken and unreachable devices, dangers, and open doors and windows at night.
    case health
    /// People: arrivals, absences, refused attempts at a door.
    case interaction
    /// The rooms, their air and their doors.
    case environment
    /// Commands given to the house, and their results.
    case tasks
    /// New things the house learned.
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

/// The speed at which emotions change, per cycle (the backend's numbers).
public enum EmotionRules {
    /// The largest change of a value in one cycle.
    public static let step = 0.3
    /// The amount by which a value falls back in each cycle once its causes are over.
    public static let decay = 0.05
    /// The number of cycles after which nothing is left of a cause that is over, whatever the value was.
    public static let memory = 20
}
