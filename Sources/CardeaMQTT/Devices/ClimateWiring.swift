import CardeaModel

/// A thermostat (Home Assistant: MQTT climate). The house speaks °C; a device that speaks °F is translated here.
struct ClimateWiring: Wiring {
    let verbs: Set<Verb>
    let readings: [Reading]
    let traits: Traits
    private let modeReading: Reading?
    private let modeTarget: Target?
    private let modes: [String]
    /// Its target temperatures: one, or a range.
    private let single: Channel
    private let low: Channel
    private let high: Channel
    private let currentReading: Reading?
    private let humidityReading: Reading?
    private let actionReading: Reading?
    private let presetReading: Reading?
    private let presetTarget: Target?
    private let presets: [String]
    private let powerTarget: Target?
    private let powerPayloads: [Verb: String]
    private let isFahrenheit: Bool
    private let bounds: ClosedRange<Double>
    /// Degrees to which temperatures are rounded: 0.1, 0.5 or 1.
    private let precision: Double

    private struct Channel: Sendable {
        let reading: Reading?
        let target: Target?

        init(_ name: String, _ fields: inout Fields) {
            reading = fields.reading("\(name)_state_topic", "\(name)_state_template", "value_template")
            target = fields.target("\(name)_command_topic", "\(name)_command_template")
        }
    }

    private static let actions: Set = ["cooling", "defrosting", "drying", "fan", "heating", "idle", "off", "preheating"]

    init(_ fields: inout Fields) {
        modeReading = fields.reading("mode_state_topic", "mode_state_template", "value_template")
        modeTarget = fields.target("mode_command_topic", "mode_command_template")
        modes = fields.has("modes") ? fields.texts("modes") : ["auto", "off", "cool", "heat", "dry", "fan_only"]
        single = Channel("temperature", &fields)
        low = Channel("temperature_low", &fields)
        high = Channel("temperature_high", &fields)
        currentReading = fields.reading("current_temperature_topic", "current_temperature_template", "value_template")
        humidityReading = fields.reading("current_humidity_topic", "current_humidity_template", "value_template")
        actionReading = fields.reading("action_topic", "action_template", "value_template")
        presetReading = fields.reading("preset_mode_state_topic", "preset_mode_value_template", "value_template")
        presetTarget = fields.target("preset_mode_command_topic", "preset_mode_command_template")
        let presets = fields.texts("preset_modes")
        self.presets = presets.isEmpty || presetTarget == nil ? [] : [Self.noPreset] + presets
        powerTarget = fields.target("power_command_topic", "power_command_template")
        powerPayloads = [.on: fields.text("payload_on", else: "ON"), .off: fields.text("payload_off", else: "OFF")]
        isFahrenheit = ["F", "°F"].contains(fields.text("temperature_unit")?.uppercased())
        let lowest = fields.number("min_temp") ?? Self.fahrenheit(7, isFahrenheit)
        let highest = fields.number("max_temp") ?? Self.fahrenheit(35, isFahrenheit)
        bounds = lowest...max(lowest, highest)
        let precision = fields.number("precision") ?? 0.1
        self.precision = [0.5, 1].contains(precision) ? precision : 0.1
        readings = [
            modeReading, single.reading, low.reading, high.reading, currentReading, humidityReading, actionReading, presetReading,
        ].compactMap(\.self)
        traits = Traits([
            EntityState.modes: .array(modes.filter(Verb.modes.contains).map(JSONValue.string)),
            "preset_modes": Traits.list(self.presets),
        ])
        var verbs: Set<Verb> = []
        if single.target != nil || low.target != nil && high.target != nil { verbs.insert(.setTemperature) }
        if powerTarget != nil { verbs.formUnion([.on, .off]) }
        if modeTarget != nil {
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
        Set([modeTarget, single.target, low.target, high.target, presetTarget, powerTarget].compactMap { $0?.topic })
    }

    // MARK: State

    var initialState: EntityState {
        var attributes = traits.values
        if !presets.isEmpty { attributes["preset_mode"] = .string(Self.noPreset) }
        return EntityState(attributes: attributes)
    }

    func next(_ state: EntityState, after heard: Heard) -> EntityState? {
        var next = state
        var isAboutUs = false
        if let mode = modeReading?.text(in: heard), modes.contains(mode) || mode == Words.none {
            isAboutUs = true
            next.value = mode == Words.none ? "unknown" : mode
        }
        let temperatures = [
            ("target_temperature", single.reading), ("target_temperature_low", low.reading), ("target_temperature_high", high.reading),
            ("current_temperature", currentReading),
        ]
        for (name, reading) in temperatures {
            guard let text = reading?.text(in: heard), let value = temperature(text) else { continue }
            isAboutUs = true
            if value == .null { next.attributes.removeValue(forKey: name) } else { next.attributes[name] = value }
        }
        if let text = humidityReading?.text(in: heard), text == Words.none || PythonNumber.finite(text) != nil {
            isAboutUs = true
            next.attributes["current_humidity"] = PythonNumber.finite(text).map { .number(PythonNumber.round($0, to: 1)) }
        }
        if let action = actionReading?.text(in: heard), action == Words.none || Self.actions.contains(action) {
            isAboutUs = true
            next.attributes["action"] = action == Words.none ? .none : .some(.string(action))
        }
        if let preset = presetReading?.text(in: heard) {
            if preset == Words.none || preset == Self.noPreset || presets.contains(preset) {
                isAboutUs = true
                next.attributes["preset_mode"] = .string(preset == Words.none ? Self.noPreset : preset)
            }
        }
        guard isAboutUs else { return nil }
        traits.apply(to: &next.attributes)
        if !presets.isEmpty, next.attributes["preset_mode"] == nil { next.attributes["preset_mode"] = .string(Self.noPreset) }
        return next
    }

    /// A temperature in °C; null where the device has none, and nil for what is no temperature.
    private func temperature(_ text: String) -> JSONValue? {
        if text == Words.none { return .null }
        guard let own = PythonNumber.finite(text), own.magnitude < 1e6 else { return nil }
        let celsius = isFahrenheit ? (own - 32) / 1.8 : own
        switch precision {
        case 0.5: return .number(PythonNumber.round(celsius * 2) / 2)
        case 1: return .number(PythonNumber.round(celsius))
        default: return .number(PythonNumber.round(celsius, to: 1))
        }
    }

    // MARK: Commands

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [Telegram]? {
        switch verb {
        case .setTemperature:
            if let asked = value?.number { return telegram(asked, single.target).map { [$0] } }
            guard let lowest = value?["low"]?.number, let highest = value?["high"]?.number, lowest <= highest,
                let first = telegram(lowest, low.target), let second = telegram(highest, high.target)
            else { return nil }
            return [first, second]
        case .on, .off:
            if let powerTarget, let payload = powerPayloads[verb] { return powerTarget.telegram(.text(payload)).map { [$0] } }
            guard let mode = verb == .off ? "off" : Self.preferred(of: modes), modes.contains(mode) else { return nil }
            return modeTarget?.telegram(.text(mode)).map { [$0] }
        case .setMode:
            guard let mode = value?.string, modes.contains(mode) else { return nil }
            return modeTarget?.telegram(.text(mode)).map { [$0] }
        case .setPreset:
            guard let preset = value?.string, presets.contains(preset) else { return nil }
            return presetTarget?.telegram(.text(preset)).map { [$0] }
        default: return nil
        }
    }

    /// The message for a temperature in °C; nil for one that the device does not take.
    private func telegram(_ celsius: Double, _ target: Target?) -> Telegram? {
        let own = Self.fahrenheit(celsius, isFahrenheit)
        guard bounds.contains(own) else { return nil }
        return target?.telegram(.float(own))
    }

    func reports(_ verb: Verb) -> Bool {
        switch verb {
        case .setTemperature: single.reading != nil || low.reading != nil && high.reading != nil
        case .setPreset: presetReading != nil
        default: modeReading != nil
        }
    }
}
