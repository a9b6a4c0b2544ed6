import CardeaModel

/// A fan (Home Assistant: MQTT fan).
struct FanWiring: Wiring {
    let verbs: Set<Verb>
    let readings: [Reading]
    let traits: Traits
    private let power: OnOff
    private let speedReading: Reading?
    private let speedTarget: Target?
    private let speeds: PercentRange
    private let speedReset: String
    private let presetReading: Reading?
    private let presetTarget: Target?
    private let presets: [String]
    private let presetReset: String
    private let oscillationReading: Reading?
    private let oscillationTarget: Target?
    private let oscillationOn: String
    private let oscillationOff: String
    private let directionReading: Reading?
    private let directionTarget: Target?

    init(_ fields: inout Fields) {
        power = OnOff(&fields, stateTemplate: "state_value_template", commandTemplate: "command_template", hasStateWords: false)
        speedReading = fields.reading("percentage_state_topic", "percentage_value_template")
        let target = fields.target("percentage_command_topic", "percentage_command_template")
        let lowest = fields.number("speed_range_min") ?? 1
        let highest = fields.number("speed_range_max") ?? 100
        speeds = PercentRange(none: lowest - 1, all: highest)
        speedTarget = highest >= lowest ? target : nil
        if target != nil, speedTarget == nil {
            fields.note("This fan's speed_range_max is below its speed_range_min: swap them on the device to set its speed.")
        }
        speedReset = fields.text("payload_reset_percentage", else: Words.none)
        presetReading = fields.reading("preset_mode_state_topic", "preset_mode_value_template")
        presetTarget = fields.target("preset_mode_command_topic", "preset_mode_command_template")
        presets = fields.texts("preset_modes")
        presetReset = fields.text("payload_reset_preset_mode", else: Words.none)
        oscillationReading = fields.reading("oscillation_state_topic", "oscillation_value_template")
        oscillationTarget = fields.target("oscillation_command_topic", "oscillation_command_template")
        oscillationOn = fields.text("payload_oscillation_on", else: "oscillate_on")
        oscillationOff = fields.text("payload_oscillation_off", else: "oscillate_off")
        directionReading = fields.reading("direction_state_topic", "direction_value_template")
        directionTarget = fields.target("direction_command_topic", "direction_command_template")
        readings = [power.reading, speedReading, presetReading, oscillationReading, directionReading].compactMap(\.self)
        traits = Traits(presetTarget == nil ? [:] : ["preset_modes": Traits.list(presets)])
        var verbs: Set<Verb> = power.target == nil ? [] : [.on, .off]
        if speedTarget != nil { verbs.insert(.setPercentage) }
        if presetTarget != nil, !presets.isEmpty { verbs.insert(.setPreset) }
        if oscillationTarget != nil { verbs.insert(.oscillate) }
        if directionTarget != nil { verbs.insert(.setDirection) }
        self.verbs = verbs
    }

    var commandTopics: Set<String> {
        Set([power.target, speedTarget, presetTarget, oscillationTarget, directionTarget].compactMap { $0?.topic })
    }

    var initialState: EntityState {
        var attributes = traits.values
        // It stands still until it says that it swings.
        if oscillationReading != nil { attributes["oscillating"] = false }
        return EntityState(attributes: attributes)
    }

    func next(_ state: EntityState, after heard: Heard) -> EntityState? {
        var next = state
        var isAboutUs = false
        if let word = power.word(in: heard) {
            isAboutUs = true
            next.value = word
        }
        if let text = speedReading?.text(in: heard) {
            if text == speedReset {
                isAboutUs = true
                next.attributes["percentage"] = nil
            } else if let speed = PythonNumber.integer(text), let percent = speeds.percent(Double(speed)), (0...100).contains(percent) {
                isAboutUs = true
                next.attributes["percentage"] = .number(percent)
            }
        }
        if let text = presetReading?.text(in: heard) {
            if text == presetReset {
                isAboutUs = true
                next.attributes["preset_mode"] = nil
            } else if presets.contains(text) {
                isAboutUs = true
                next.attributes["preset_mode"] = .string(text)
            }
        }
        if let text = oscillationReading?.text(in: heard), text == oscillationOn || text == oscillationOff {
            isAboutUs = true
            next.attributes["oscillating"] = .bool(text == oscillationOn)
        }
        if let text = directionReading?.text(in: heard) {
            isAboutUs = true
            next.attributes["direction"] = .string(String(text.prefix(64)))
        }
        guard isAboutUs else { return nil }
        traits.apply(to: &next.attributes)
        if oscillationReading != nil, next.attributes["oscillating"] == nil { next.attributes["oscillating"] = false }
        return next
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [Telegram]? {
        switch verb {
        case .setPercentage:
            guard let asked = value?.number, asked >= 0, asked <= 100,
                let speed = Int(exactly: speeds.value(asked.rounded(.towardZero)).rounded(.up))
            else { return nil }
            return speedTarget?.telegram(.integer(speed)).map { [$0] }
        case .setPreset:
            guard let preset = value?.string, presets.contains(preset) else { return nil }
            return presetTarget?.telegram(.text(preset)).map { [$0] }
        case .oscillate:
            guard let swings = value?.bool else { return nil }
            return oscillationTarget?.telegram(.text(swings ? oscillationOn : oscillationOff)).map { [$0] }
        case .setDirection:
            guard let direction = value?.string, ["forward", "reverse"].contains(direction) else { return nil }
            return directionTarget?.telegram(.text(direction)).map { [$0] }
        default: return power.telegram(for: verb).map { [$0] }
        }
    }

    func reports(_ verb: Verb) -> Bool {
        switch verb {
        case .setPercentage: speedReading != nil
        case .setPreset: presetReading != nil
        case .oscillate: oscillationReading != nil
        case .setDirection: directionReading != nil
        default: power.reading != nil
        }
    }
}
