import CardeaModel

/// A thermostat. It speaks Home Assistant's unit; the house speaks °C.
struct ClimateMapping: EntityMapping {
    private let report: StateReport
    private let isFahrenheit: Bool
    private let modes: Set<String>

    init(_ report: StateReport, isFahrenheit: Bool) {
        self.report = report
        self.isFahrenheit = isFahrenheit
        modes = report.texts("hvac_modes")
    }

    /// The mode that "on" means, as in Home Assistant.
    private var preferredMode: String? { ["heat_cool", "heat", "auto", "cool"].first(where: modes.contains) }

    // Bit 1: one target temperature; 128: turn off; 256: turn on.
    var verbs: Set<Verb> {
        var verbs: Set<Verb> = []
        if report.hasFeature(1) { verbs.insert(.setTemperature) }
        if report.hasFeature(128) || modes.contains("off") { verbs.insert(.off) }
        if report.hasFeature(256) || preferredMode != nil { verbs.insert(.on) }
        if !knownModes.isEmpty { verbs.insert(.setMode) }
        return verbs
    }

    /// The modes that it has and the house knows.
    private var knownModes: [String] { modes.intersection(Verb.modes).sorted() }

    var unit: String? { "°C" }

    var state: EntityState {
        var attributes: [String: JSONValue] = [:]
        attributes["target_temperature"] = report.number("temperature").map { .number(celsius($0)) }
        attributes["current_temperature"] = report.number("current_temperature").map { .number(celsius($0)) }
        if let action = report.text("hvac_action"), action.count <= 32 { attributes["action"] = .string(action) }
        if !knownModes.isEmpty { attributes[EntityState.modes] = .array(knownModes.map { .string($0) }) }
        return EntityState(Verb.modes.contains(report.value) ? report.value : "unknown", attributes: attributes)
    }

    func serviceCall(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? {
        guard verbs.contains(verb) else { return nil }
        switch verb {
        case .setTemperature:
            guard let asked = value?.number else { return nil }
            let temperature = (isFahrenheit ? asked * 9 / 5 + 32 : asked).rounded(to: 1)
            if let low = report.number("min_temp"), temperature < low { return nil }
            if let high = report.number("max_temp"), temperature > high { return nil }
            return ServiceCall("set_temperature", ["temperature": .number(temperature)])
        case .on:
            if report.hasFeature(256) { return ServiceCall("turn_on") }
            return preferredMode.map { ServiceCall("set_hvac_mode", ["hvac_mode": .string($0)]) }
        case .setMode:
            guard let mode = value?.string, modes.contains(mode) else { return nil }
            return ServiceCall("set_hvac_mode", ["hvac_mode": .string(mode)])
        case .off: return report.hasFeature(128) ? ServiceCall("turn_off") : ServiceCall("set_hvac_mode", ["hvac_mode": "off"])
        default: return nil
        }
    }

    private func celsius(_ number: Double) -> Double {
        (isFahrenheit ? (number - 32) * 5 / 9 : number).rounded(to: 2)
    }
}
