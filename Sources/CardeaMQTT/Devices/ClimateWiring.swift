import CardeaModel

/// A thermostat (Home Assistant: MQTT climate). The house speaks °C; a device that speaks °F is translated here.
struct ClimateWiring: Wiring {
    let verbs: Set<Verb>
    private let modeReading: Reading?
    private let modeTarget: Target?
    private let modes: [String]
    private let targetReading: Reading?
    private let temperatureTarget: Target?
    private let currentReading: Reading?
    private let actionReading: Reading?
    private let powerTarget: Target?
    private let powerPayloads: [Verb: String]
    private let isFahrenheit: Bool
    private let bounds: ClosedRange<Double>?

    init(_ fields: inout Fields) {
        modeReading = fields.reading("mode_state_topic", "mode_state_template", "value_template")
        modeTarget = fields.target("mode_command_topic", "mode_command_template")
        let modes = fields.texts("modes")
        self.modes = modes.isEmpty ? ["auto", "off", "cool", "heat", "dry", "fan_only"] : modes
        targetReading = fields.reading("temperature_state_topic", "temperature_state_template", "value_template")
        temperatureTarget = fields.target("temperature_command_topic", "temperature_command_template")
        currentReading = fields.reading("current_temperature_topic", "current_temperature_template", "value_template")
        actionReading = fields.reading("action_topic", "action_template", "value_template")
        powerTarget = fields.target("power_command_topic", "power_command_template")
        powerPayloads = [.on: fields.text("payload_on", else: "ON"), .off: fields.text("payload_off", else: "OFF")]
        isFahrenheit = fields.text("temperature_unit")?.uppercased() == "F"
        if let low = fields.number("min_temp"), let high = fields.number("max_temp"), low <= high {
            bounds = low...high
        } else {
            bounds = nil
        }
        var verbs: Set<Verb> = []
        if temperatureTarget != nil { verbs.insert(.setTemperature) }
        if powerTarget != nil { verbs.formUnion([.on, .off]) }
        if modeTarget != nil {
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
        if modeTarget != nil { next.attributes[EntityState.modes] = .array(modes.filter(Verb.modes.contains).map { .string($0) }) }
        return isAboutUs ? next : nil
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, in state: EntityState) -> [Telegram]? {
        switch verb {
        case .setTemperature:
            guard let temperatureTarget, let asked = value?.number else { return nil }
            let temperature = isFahrenheit ? asked * 9 / 5 + 32 : asked
            if let bounds, !bounds.contains(temperature) { return nil }
            return temperatureTarget.telegram(.number(Text.round(temperature, 1))).map { [$0] }
        case .on, .off:
            if let powerTarget, let payload = powerPayloads[verb] { return powerTarget.telegram(.string(payload)).map { [$0] } }
            guard let modeTarget, let mode = verb == .off ? "off" : Self.preferred(of: modes) else { return nil }
            return modeTarget.telegram(.string(mode)).map { [$0] }
        case .setMode:
            guard let modeTarget, let mode = value?.string, modes.contains(mode) else { return nil }
            return modeTarget.telegram(.string(mode)).map { [$0] }
        default: return nil
        }
    }

    func reports(_ verb: Verb) -> Bool { verb == .setTemperature ? targetReading != nil : modeReading != nil }

    private func celsius(_ number: Double) -> Double {
        Text.round(isFahrenheit ? (number - 32) * 5 / 9 : number, 2)
    }
}
