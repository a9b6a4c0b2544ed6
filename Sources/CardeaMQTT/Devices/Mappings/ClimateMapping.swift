import CardeaModel

/// A thermostat (Home Assistant: MQTT climate). The house speaks °C; a device that speaks °F is translated here.
struct ClimateMapping: EntityMapping {
    let verbs: Set<Verb>
    let stateTopics: [StateTopic]
    let staticAttributes: StaticAttributes
    private let modeStateTopic: StateTopic?
    private let modeCommandTopic: CommandTopic?
    private let modes: [String]
    /// Its target temperatures: one, or a range.
    private let single: TopicPair
    private let low: TopicPair
    private let high: TopicPair
    private let currentTemperatureTopic: StateTopic?
    private let humidityTopic: StateTopic?
    private let actionTopic: StateTopic?
    private let presetStateTopic: StateTopic?
    private let presetCommandTopic: CommandTopic?
    private let presets: [String]
    private let powerCommandTopic: CommandTopic?
    private let powerPayloads: [Verb: String]
    private let isFahrenheit: Bool
    private let bounds: ClosedRange<Double>
    /// Degrees to which temperatures are rounded: 0.1, 0.5 or 1.
    private let precision: Double

    private struct TopicPair: Sendable {
        let stateTopic: StateTopic?
        let commandTopic: CommandTopic?

        init(_ name: String, _ fields: inout AnnouncementFields) {
            stateTopic = fields.stateTopic("\(name)_state_topic", "\(name)_state_template", "value_template")
            commandTopic = fields.commandTopic("\(name)_command_topic", "\(name)_command_template")
        }
    }

    private static let actions: Set = ["cooling", "defrosting", "drying", "fan", "heating", "idle", "off", "preheating"]

    init(_ fields: inout AnnouncementFields) {
        modeStateTopic = fields.stateTopic("mode_state_topic", "mode_state_template", "value_template")
        modeCommandTopic = fields.commandTopic("mode_command_topic", "mode_command_template")
        modes = fields.has("modes") ? fields.texts("modes") : ["auto", "off", "cool", "heat", "dry", "fan_only"]
        single = TopicPair("temperature", &fields)
        low = TopicPair("temperature_low", &fields)
        high = TopicPair("temperature_high", &fields)
        currentTemperatureTopic = fields.stateTopic("current_temperature_topic", "current_temperature_template", "value_template")
        humidityTopic = fields.stateTopic("current_humidity_topic", "current_humidity_template", "value_template")
        actionTopic = fields.stateTopic("action_topic", "action_template", "value_template")
        presetStateTopic = fields.stateTopic("preset_mode_state_topic", "preset_mode_value_template", "value_template")
        presetCommandTopic = fields.commandTopic("preset_mode_command_topic", "preset_mode_command_template")
        let presets = fields.texts("preset_modes")
        self.presets = presets.isEmpty || presetCommandTopic == nil ? [] : [Self.noPreset] + presets
        powerCommandTopic = fields.commandTopic("power_command_topic", "power_command_template")
        powerPayloads = [.on: fields.text("payload_on", else: "ON"), .off: fields.text("payload_off", else: "OFF")]
        isFahrenheit = ["F", "°F"].contains(fields.text("temperature_unit")?.uppercased())
        let lowest = fields.number("min_temp") ?? Self.fahrenheit(7, isFahrenheit)
        let highest = fields.number("max_temp") ?? Self.fahrenheit(35, isFahrenheit)
        bounds = lowest...max(lowest, highest)
        let precision = fields.number("precision") ?? 0.1
        self.precision = [0.5, 1].contains(precision) ? precision : 0.1
        stateTopics = [
            modeStateTopic, single.stateTopic, low.stateTopic, high.stateTopic, currentTemperatureTopic, humidityTopic, actionTopic,
            presetStateTopic,
        ].compactMap(\.self)
        staticAttributes = StaticAttributes([
            EntityState.modes: .array(modes.filter(Verb.modes.contains).map(JSONValue.string)),
            "preset_modes": StaticAttributes.list(self.presets),
        ])
        var verbs: Set<Verb> = []
        if single.commandTopic != nil || low.commandTopic != nil && high.commandTopic != nil { verbs.insert(.setTemperature) }
        if powerCommandTopic != nil { verbs.formUnion([.on, .off]) }
        if modeCommandTopic != nil {
            if modes.contains("off") { verbs.insert(.off) }
            if Self.preferred(of: modes) != nil { verbs.insert(.on) }
            verbs.insert(.setMode)
        }
        if !self.presets.isEmpty { verbs.insert(.setPreset) }
        self.verbs = verbs
    }

    private static let noPreset = "none"

    /// The mode that "on" means, as in Home Assistant.
    private static func preferred(of modes: [String]) -> String? {
        if modes.count == 2, modes.contains("off") { return modes.first { $0 != "off" } }
        return ["heat_cool", "heat", "cool"].first(where: modes.contains)
    }

    private static func fahrenheit(_ celsius: Double, _ isFahrenheit: Bool) -> Double { isFahrenheit ? celsius * 1.8 + 32 : celsius }

    var commandTopics: Set<String> {
        Set(
            [modeCommandTopic, single.commandTopic, low.commandTopic, high.commandTopic, presetCommandTopic, powerCommandTopic].compactMap {
                $0?.topic
            })
    }

    // MARK: State

    var initialState: EntityState {
        var attributes = staticAttributes.values
        if !presets.isEmpty { attributes["preset_mode"] = .string(Self.noPreset) }
        return EntityState(attributes: attributes)
    }

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        var next = state
        var isAboutUs = false
        if let mode = modeStateTopic?.text(in: message), modes.contains(mode) || mode == StateVocabulary.none {
            isAboutUs = true
            next.value = mode == StateVocabulary.none ? "unknown" : mode
        }
        let temperatures = [
            ("target_temperature", single.stateTopic), ("target_temperature_low", low.stateTopic),
            ("target_temperature_high", high.stateTopic),
            ("current_temperature", currentTemperatureTopic),
        ]
        for (name, reading) in temperatures {
            guard let text = reading?.text(in: message), let value = temperature(text) else { continue }
            isAboutUs = true
            if value == .null { next.attributes.removeValue(forKey: name) } else { next.attributes[name] = value }
        }
        if let text = humidityTopic?.text(in: message), text == StateVocabulary.none || PythonNumber.finite(text) != nil {
            isAboutUs = true
            next.attributes["current_humidity"] = PythonNumber.finite(text).map { .number(PythonNumber.round($0, to: 1)) }
        }
        if let action = actionTopic?.text(in: message), action == StateVocabulary.none || Self.actions.contains(action) {
            isAboutUs = true
            next.attributes["action"] = action == StateVocabulary.none ? .none : .some(.string(action))
        }
        if let preset = presetStateTopic?.text(in: message) {
            if preset == StateVocabulary.none || preset == Self.noPreset || presets.contains(preset) {
                isAboutUs = true
                next.attributes["preset_mode"] = .string(preset == StateVocabulary.none ? Self.noPreset : preset)
            }
        }
        guard isAboutUs else { return nil }
        staticAttributes.apply(to: &next.attributes)
        if !presets.isEmpty, next.attributes["preset_mode"] == nil { next.attributes["preset_mode"] = .string(Self.noPreset) }
        return next
    }

    /// A temperature in °C; null if the device has none, and nil for an invalid one.
    private func temperature(_ text: String) -> JSONValue? {
        if text == StateVocabulary.none { return .null }
        guard let own = PythonNumber.finite(text), own.magnitude < 1e6 else { return nil }
        let celsius = isFahrenheit ? (own - 32) / 1.8 : own
        switch precision {
        case 0.5: return .number(PythonNumber.round(celsius * 2) / 2)
        case 1: return .number(PythonNumber.round(celsius))
        default: return .number(PythonNumber.round(celsius, to: 1))
        }
    }

    // MARK: Commands

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    {
        switch verb {
        case .setTemperature:
            if let asked = value?.number { return commandMessage(asked, single.commandTopic).map { [$0] } }
            guard let lowest = value?["low"]?.number, let highest = value?["high"]?.number, lowest <= highest,
                let first = commandMessage(lowest, low.commandTopic), let second = commandMessage(highest, high.commandTopic)
            else { return nil }
            return [first, second]
        case .on, .off:
            if let powerCommandTopic, let payload = powerPayloads[verb] {
                return powerCommandTopic.commandMessage(.text(payload)).map { [$0] }
            }
            guard let mode = verb == .off ? "off" : Self.preferred(of: modes), modes.contains(mode) else { return nil }
            return modeCommandTopic?.commandMessage(.text(mode)).map { [$0] }
        case .setMode:
            guard let mode = value?.string, modes.contains(mode) else { return nil }
            return modeCommandTopic?.commandMessage(.text(mode)).map { [$0] }
        case .setPreset:
            guard let preset = value?.string, presets.contains(preset) else { return nil }
            return presetCommandTopic?.commandMessage(.text(preset)).map { [$0] }
        default: return nil
        }
    }

    /// The message for a temperature in °C; nil for one that the device does not accept.
    private func commandMessage(_ celsius: Double, _ target: CommandTopic?) -> CommandMessage? {
        let own = Self.fahrenheit(celsius, isFahrenheit)
        guard bounds.contains(own) else { return nil }
        return target?.commandMessage(.float(own))
    }

    func reports(_ verb: Verb) -> Bool {
        switch verb {
        case .setTemperature: single.stateTopic != nil || low.stateTopic != nil && high.stateTopic != nil
        case .setPreset: presetStateTopic != nil
        default: modeStateTopic != nil
        }
    }
}
