import CardeaModel

/// What harms whoever is in the house, and has a sensor of its own that reports it.
public enum Danger: String, Hashable, Sendable, CaseIterable {
    case smoke, heat, gas
    case carbonMonoxide = "carbon_monoxide"
    /// Water where none should be.
    case moisture

    /// What an entity would report; nil for one that watches over nothing of the kind.
    init?(_ entity: Entity) {
        guard entity.isEnabled, entity.kind == .binarySensor, let danger = entity.deviceClass.flatMap(Self.init(rawValue:)) else {
            return nil
        }
        self = danger
    }

    /// How it is said beside the answers.
    var sentence: StateSentence {
        switch self {
        case .smoke: .smoke
        case .heat: .greatHeat
        case .gas: .gas
        case .carbonMonoxide: .carbonMonoxide
        case .moisture: .water
        }
    }
}

extension LexicalCategory.DangerWord {
    /// What is meant by the word: of a fire both smoke and heat tell.
    var dangers: Set<Danger> {
        switch self {
        case .smoke: [.smoke]
        case .fire: [.smoke, .heat]
        case .gas: [.gas]
        case .carbonMonoxide: [.carbonMonoxide]
        case .leak: [.moisture, .gas]
        case .water: [.moisture]
        case .any: Set(Danger.allCases)
        }
    }

    /// The word by which an answer names what was reported.
    init(_ danger: Danger) {
        self =
            switch danger {
            case .smoke: .smoke
            case .heat: .fire
            case .gas: .gas
            case .carbonMonoxide: .carbonMonoxide
            case .moisture: .water
            }
    }
}
