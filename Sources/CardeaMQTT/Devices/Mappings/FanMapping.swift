import CardeaModel

/// A fan (Home Assistant: MQTT fan).
struct FanMapping: EntityMapping {
    let verbs: Set<Verb>
    let stateTopics: [StateTopic]
    let staticAttributes: StaticAttributes
    private let power: OnOffTopics
    private let speedStateTopic: StateTopic?
    private let speedCommandTopic: CommandTopic?
    private let speeds: PercentRange
    private let speedReset: String
    private let presetStateTopic: StateTopic?
    private let presetCommandTopic: CommandTopic?
    private let presets: [String]
    private let presetReset: String
    private let oscillationStateTopic: StateTopic?
    private let oscillationCommandTopic: CommandTopic?
    private let oscillationOn: String
    private let oscillationOff: String
    private let directionStateTopic: StateTopic?
    private let directionCommandTopic: CommandTopic?

    init(_ fields: inout AnnouncementFields) {
        power = OnOffTopics(&fields, stateTemplate: "state_value_template", commandTemplate: "command_template", hasStateWords: false)
        speedStateTopic = fields.stateTopic("percentage_state_topic", "percentage_value_template")
        let target = fields.commandTopic("percentage_command_topic", "percentage_command_template")
        let lowest = fields.number("speed_range_min") ?? 1
        let highest = fields.number("speed_range_max") ?? 100
        speeds = PercentRange(none: lowest - 1, all: highest)
        speedCommandTopic = highest >= lowest ? target : nil
        if target != nil, speedCommandTopic == nil {
            fields.addNotice("This fan's speed_range_max is below its speed_range_min: swap them on the device to set its speed.")
        }
        speedReset = fields.text("payload_reset_percentage", else: StateVocabulary.none)
        presetStateTopic = fields.stateTopic("preset_mode_state_topic", "preset_mode_value_template")
        presetCommandTopic = fields.commandTopic("preset_mode_command_topic", "preset_mode_command_template")
        presets = fields.texts("preset_modes")
        presetReset = fields.text("payload_reset_preset_mode", else: StateVocabulary.none)
        oscillationStateTopic = fields.stateTopic("oscillation_state_topic", "oscillation_value_template")
        oscillationCommandTopic = fields.commandTopic("oscillation_command_topic", "oscillation_command_template")
        oscillationOn = fields.text("payload_oscillation_on", else: "oscillate_on")
        oscillationOff = fields.text("payload_oscillation_off", else: "oscillate_off")
        directionStateTopic = fields.stateTopic("direction_state_topic", "direction_value_template")
        directionCommandTopic = fields.commandTopic("direction_command_topic", "direction_command_template")
        stateTopics = [power.stateTopic, speedStateTopic, presetStateTopic, oscillationStateTopic, directionStateTopic].compactMap(\.self)
        staticAttributes = StaticAttributes(presetCommandTopic == nil ? [:] : ["preset_modes": StaticAttributes.list(presets)])
        var verbs: Set<Verb> = power.commandTopic == nil ? [] : [.on, .off]
        if speedCommandTopic != nil { verbs.insert(.setPercentage) }
        if presetCommandTopic != nil, !presets.isEmpty { verbs.insert(.setPreset) }
        if oscillationCommandTopic != nil { verbs.insert(.oscillate) }
        if directionCommandTopic != nil { verbs.insert(.setDirection) }
        self.verbs = verbs
    }

    var commandTopics: Set<String> {
        Set(
            [power.commandTopic, speedCommandTopic, presetCommandTopic, oscillationCommandTopic, directionCommandTopic].compactMap {
                $0?.topic
            })
    }

    var initialState: EntityState {
        var attributes = staticAttributes.values
        // Counts as not oscillating until it reports that it does.
        if oscillationStateTopic != nil { attributes["oscillating"] = false }
        return EntityState(attributes: attributes)
    }

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        var next = state
        var isAboutUs = false
        if let word = power.word(in: message) {
            isAboutUs = true
            next.value = word
        }
        if let text = speedStateTopic?.text(in: message) {
            if text == speedReset {
                isAboutUs = true
                next.attributes["percentage"] = nil
            } else if let speed = PythonNumber.integer(text), let percent = speeds.percent(Double(speed)), (0...100).contains(percent) {
                isAboutUs = true
                next.attributes["percentage"] = .number(percent)
            }
        }
        if let text = presetStateTopic?.text(in: message) {
            if text == presetReset {
                isAboutUs = true
                next.attributes["preset_mode"] = nil
            } else if presets.contains(text) {
                isAboutUs = true
                next.attributes["preset_mode"] = .string(text)
            }
        }
        if let text = oscillationStateTopic?.text(in: message), text == oscillationOn || text == oscillationOff {
            isAboutUs = true
            next.attributes["oscillating"] = .bool(text == oscillationOn)
        }
        if let text = directionStateTopic?.text(in: message) {
            isAboutUs = true
            next.attributes["direction"] = .string(String(text.prefix(64)))
        }
        guard isAboutUs else { return nil }
        staticAttributes.apply(to: &next.attributes)
        if oscillationStateTopic != nil, next.attributes["oscillating"] == nil { next.attributes["oscillating"] = false }
        return next
    }

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    {
        switch verb {
        case .setPercentage:
            guard let asked = value?.number, asked >= 0, asked <= 100,
                let speed = Int(exactly: speeds.value(asked.rounded(.towardZero)).rounded(.up))
            else { return nil }
            return speedCommandTopic?.commandMessage(.integer(speed)).map { [$0] }
        case .setPreset:
            guard let preset = value?.string, presets.contains(preset) else { return nil }
            return presetCommandTopic?.commandMessage(.text(preset)).map { [$0] }
        case .oscillate:
            guard let swings = value?.bool else { return nil }
            return oscillationCommandTopic?.commandMessage(.text(swings ? oscillationOn : oscillationOff)).map { [$0] }
        case .setDirection:
            guard let direction = value?.string, ["forward", "reverse"].contains(direction) else { return nil }
            return directionCommandTopic?.commandMessage(.text(direction)).map { [$0] }
        default: return power.commandMessage(for: verb).map { [$0] }
        }
    }

    func reports(_ verb: Verb) -> Bool {
        switch verb {
        case .setPercentage: speedStateTopic != nil
        case .setPreset: presetStateTopic != nil
        case .oscillate: oscillationStateTopic != nil
        case .setDirection: directionStateTopic != nil
        default: power.stateTopic != nil
        }
    }
}
