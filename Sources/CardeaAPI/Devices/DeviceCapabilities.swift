import CardeaModel

/// A device's actions and the value that each one takes (Seed 004, `capabilities`), narrowed by the capabilities that its entities report.
enum DeviceCapabilities {
    /// The attributes of an entity that they depend on.
    static let attributes = [
        EntityState.modes, EntityState.colorModes, EntityState.warmestWhite, EntityState.coldestWhite, EntityState.presets,
        EntityState.effects, EntityState.armings,
    ]

    static func of(_ device: Device) -> [String: JSONValue] {
        var capabilities: [String: JSONValue] = [:]
        for entity in device.entities where entity.isEnabled {
            for verb in entity.verbs where capabilities[verb.rawValue] == nil { capabilities[verb.rawValue] = value(of: verb, on: entity) }
        }
        return capabilities
    }

    private static func value(of verb: Verb, on entity: Entity) -> JSONValue {
        switch verb.value {
        case .none: [:]
        case .number(let range): range.json
        case .temperature: Verb.temperatures.json
        case .color: color(of: entity)
        case .word(let words):
            [choicesKey(verb): reportedChoices(by: entity, choicesKey(verb)) ?? .array(words.sorted().map { .string($0) })]
        case .text: reportedChoices(by: entity, choicesKey(verb)).map { [choicesKey(verb): $0] } ?? [:]
        case .flag: [:]
        }
    }

    /// The key of the list of choices.
    private static func choicesKey(_ verb: Verb) -> String {
        switch verb {
        case .setPreset: EntityState.presets
        case .setEffect: EntityState.effects
        case .setDirection: "directions"
        default: "modes"
        }
    }

    /// The choices that the entity says it has.
    private static func reportedChoices(by entity: Entity, _ list: String) -> JSONValue? {
        switch (entity.kind, list) {
        case (.climate, "modes"): entity.state.attributes[EntityState.modes]
        case (.alarm, "modes"): entity.state.attributes[EntityState.armings]
        default: entity.state.attributes[list]
        }
    }

    /// Hues, warmth or both. An entity that reports neither counts as having both.
    private static func color(of entity: Entity) -> JSONValue {
        var supported: Set<String> = ["hs", "color_temp"]
        if case .array(let modes)? = entity.state.attributes[EntityState.colorModes] { supported = Set(modes.compactMap(\.string)) }
        var parts: [String: JSONValue] = [:]
        if supported.contains("hs") {
            parts["hue"] = Verb.hue.json
            parts["saturation"] = Verb.saturation.json
        }
        if supported.contains("color_temp") { parts["temperature"] = entity.whiteRange.json }
        if supported.contains("white") { parts["white"] = (0.0...100).json }
        return .object(parts)
    }
}

extension ClosedRange<Double> {
    fileprivate var json: JSONValue { ["minimum": .number(lowerBound), "maximum": .number(upperBound)] }
}
