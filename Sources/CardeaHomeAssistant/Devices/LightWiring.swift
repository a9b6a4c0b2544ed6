import CardeaModel

/// A light. Home Assistant counts brightness to 255, the house to 100.
struct LightWiring: Wiring {
    private let said: Said
    private let modes: Set<String>

    init(_ said: Said, isFahrenheit: Bool) {
        self.said = said
        modes = said.texts("supported_color_modes")
    }

    private var hasHues: Bool { !modes.isDisjoint(with: ["hs", "xy", "rgb", "rgbw", "rgbww"]) }
    private var hasWarmth: Bool { modes.contains("color_temp") }

    /// In kelvin; one of before 2022.11 says mireds alone.
    private var whites: [String: JSONValue] {
        func kelvin(_ name: String, orMireds mireds: String) -> Double? {
            said.number(name) ?? said.number(mireds).map { 1_000_000 / $0 }
        }
        return EntityState.whites(
            from: kelvin("min_color_temp_kelvin", orMireds: "max_mireds"), to: kelvin("max_color_temp_kelvin", orMireds: "min_mireds"))
    }

    var verbs: Set<Verb> {
        var verbs: Set<Verb> = [.on, .off]
        if !modes.subtracting(["onoff", "unknown"]).isEmpty { verbs.insert(.setBrightness) }
        if hasHues || hasWarmth { verbs.insert(.setColor) }
        return verbs
    }

    var state: EntityState {
        var attributes: [String: JSONValue] = [:]
        if let level = said.number("brightness") { attributes["brightness"] = .number(min(max((level / 255 * 100).rounded(), 0), 100)) }
        if said.text("color_mode") == "color_temp", let kelvin = said.number("color_temp_kelvin"), kelvin > 0 {
            attributes["color"] = ["temperature": .number(kelvin.rounded())]
        } else if hasHues, case .array(let parts)? = said.attributes["hs_color"], parts.count == 2,
            let hue = parts.first?.number, let saturation = parts.last?.number, (0...360).contains(hue), (0...100).contains(saturation)
        {
            attributes["color"] = ["hue": .number(hue.rounded(to: 1)), "saturation": .number(saturation.rounded(to: 1))]
        }
        if hasHues || hasWarmth { attributes[EntityState.colorModes] = .array((hasHues ? ["hs"] : []) + (hasWarmth ? ["color_temp"] : [])) }
        if hasWarmth { attributes.merge(whites) { _, said in said } }
        return EntityState(["on", "off"].contains(said.value) ? said.value : "unknown", attributes: attributes)
    }

    func call(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? {
        guard verbs.contains(verb), let call = call(verb, value) else { return nil }
        // Bit 32 is fading.
        guard let transition, said.has(32) else { return call }
        return ServiceCall(call.service, call.data.merging(["transition": .number(transition)]) { _, new in new })
    }

    private func call(_ verb: Verb, _ value: JSONValue?) -> ServiceCall? {
        switch verb {
        case .on: return ServiceCall("turn_on")
        case .off: return ServiceCall("turn_off")
        case .setBrightness:
            guard let percent = value?.number else { return nil }
            // A light that is told a little must not understand "nothing".
            return percent <= 0
                ? ServiceCall("turn_off") : ServiceCall("turn_on", ["brightness": .number(max(1, (percent / 100 * 255).rounded()))])
        case .setColor:
            if let kelvin = value?["temperature"]?.number {
                return hasWarmth ? ServiceCall("turn_on", ["color_temp_kelvin": .number(kelvin)]) : nil
            }
            guard hasHues, let hue = value?["hue"]?.number, let saturation = value?["saturation"]?.number else { return nil }
            return ServiceCall("turn_on", ["hs_color": [.number(hue), .number(saturation)]])
        default: return nil
        }
    }
}
