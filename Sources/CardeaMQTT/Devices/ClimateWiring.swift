import CardeaModel

/// A thermostat (Home Assistant: MQTT climate). The house speaks °C; a device that speaks °F is translated here.
struct ClimateWiring: Wiring {
    let verbs: Set<Verb>
    private let modeReading: Reading?
    private let modeTopic: String?
    private let modes: [String]
    private let targetReading: Reading?
    private let targetTopic: String?
    private let currentReading: Reading?
    private let actionReading: Reading?
    private let powerTopic: String?
    private let powerPayloads: [Verb: String]
    private let isFahrenheit: Bool
    private let bounds: ClosedRange<Double>?

    init(_ fields: inout Fields) {
        modeReading = fields.reading("mode_state_topic", "mode_state_template", "value_template")
        modeTopic = fields.target("mode_command_topic", "mode_command_template")
        let modes = fields.texts("modes")
        self.modes = modes.isEmpty ? ["auto", "off", "cool", "heat", "dry", "fan_only"] : modes
        targetReading = fields.reading("temperature_state_topic", "temperature_state_template", "value_template")
        targetTopic = fields.target("temperature_command_topic", "temperature_command_template")
        currentReading = fields.reading("current_temperature_topic", "current_temperature_template", "value_template")
        actionReading = fields.reading("action_topic", "action_template", "value_template")
        powerTopic = fields.target("power_command_topic", "power_command_template")
        powerPayloads = [.on: fields.text("payload_on", else: "ON"), .off: fields.text("payload_off", else: "OFF")]
        isFahrenheit = fields.text("temperature_unit")?.uppercased() == "F"
        if let low = fields.number("min_temp"), let high = fields.number("max_temp"), low <= high {
            bounds = low...high
        } else {
            bounds = nil
        }
        var verbs: Set<Verb> = []
        if targetTopic != nil { verbs.insert(.setTemperature) }
        if powerTopic != nil { verbs.formUnion([.on, .off]) }
        if modeTopic != nil {
            if self.modes.contains("off") { verbs.insert(.off) }
            if Self.preferred(of: self.modes) != nil { verbs.insert(.on) }
            verbs.insert(.setMode)
        }
        self.verbs = verbs
    }

    /// The mode that "on" means, as in Home Assistant.
    private static func preferred(of modes: [String]) -> String? {
        ["heat_cool", "heat", "auto", "cool"].first(where: modes.contains)
    }

    var readings: [Reading] { [modeReading, targetReading, currentReading, actionReading].compactMap(\.self) }

    func state(_ state: EntityState, after heard: Heard) -> EntityState? {
        var next = state
        var isAboutUs = false
        if let mode = modeReading?.text(in: heard) {
            if modes.contains(mode) || mode == "None" {
                isAboutUs = true
                next.value = mode == "None" ? "unknown" : mode
            }
        }
        if let target = targetReading?.number(in: heard) {
            isAboutUs = true
            next.attributes["target_temperature"] = .number(celsius(target))
        }
        if let current = currentReading?.number(in: heard) {
            isAboutUs = true
            next.attributes["current_temperature"] = .number(celsius(current))
        }
        if let action = actionReading?.text(in: heard), action != "None", action.count <= 32 {
            isAboutUs = true
            next.attributes["action"] = .string(action)
        }
        if modeTopic != nil { next.attributes[EntityState.modes] = .array(modes.filter(Verb.modes.contains).map { .string($0) }) }
        return isAboutUs ? next : nil
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, in state: EntityState) -> [Telegram]? {
        switch verb {
        case .setTemperature:
            guard let targetTopic, let asked = value?.number else { return nil }
            let temperature = isFahrenheit ? asked * 9 / 5 + 32 : asked
            if let bounds, !bounds.contains(temperature) { return nil }
            return [Telegram(topic: targetTopic, payload: Text.write(Text.round(temperature, 1)))]
        case .on, .off:
            if let powerTopic, let payload = powerPayloads[verb] { return [Telegram(topic: powerTopic, payload: payload)] }
            guard let modeTopic, let mode = verb == .off ? "off" : Self.preferred(of: modes) else { return nil }
            return [Telegram(topic: modeTopic, payload: mode)]
        case .setMode:
            guard let modeTopic, let mode = value?.string, modes.contains(mode) else { return nil }
            return [Telegram(topic: modeTopic, payload: mode)]
        default: return nil
        }
    }

    func reports(_ verb: Verb) -> Bool { verb == .setTemperature ? targetReading != nil : modeReading != nil }

    private func celsius(_ number: Double) -> Double {
        Text.round(isFahrenheit ? (number - 32) * 5 / 9 : number, 2)
    }
}
