import CardeaModel

/// A danger to people in the house that has a sensor of its own.
public enum Danger: String, Hashable, Sendable, CaseIterable {
    case smoke, heat, gas
    case carbonMonoxide = "carbon_monoxide"
    /// A water leak.
    case moisture

    /// The danger that an entity reports; nil if it monitors none.
    init?(_ entity: Entity) {
        guard entity.isEnabled, entity.kind == .binarySensor, let danger = entity.deviceClass.flatMap(Self.init(rawValue:)) else {
            return nil
        }
        self = danger
    }

    /// The sentence for it in an answer.
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
    /// The dangers that the word means: a fire is reported by both smoke and heat sensors.
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

    /// The term by which an answer names the danger that was reported.
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
