import CardeaModel

/// A light. Home Assistant counts brightness to 255, the house to 100.
struct LightMapping: EntityMapping {
    private let report: StateReport
    private let modes: Set<String>

    init(_ report: StateReport, isFahrenheit: Bool) {
        self.report = report
        modes = report.texts("supported_color_modes")
    }

    private var supportsColour: Bool { !modes.isDisjoint(with: ["hs", "xy", "rgb", "rgbw", "rgbww"]) }
    private var supportsColourTemperature: Bool { modes.contains("color_temp") }

    /// In kelvin; one of before 2022.11 says mireds alone.
    private var colourTemperatureRange: [String: JSONValue] {
        func kelvin(_ name: String, orMireds mireds: String) -> Double? {
            report.number(name) ?? report.number(mireds).map { 1_000_000 / $0 }
        }
        return EntityState.whiteAttributes(
            from: kelvin("min_color_temp_kelvin", orMireds: "max_mireds"), to: kelvin("max_color_temp_kelvin", orMireds: "min_mireds"))
    }

    var verbs: Set<Verb> {
        var verbs: Set<Verb> = [.on, .off]
        if !modes.subtracting(["onoff", "unknown"]).isEmpty { verbs.insert(.setBrightness) }
        if supportsColour || supportsColourTemperature { verbs.insert(.setColor) }
        return verbs
    }

    var state: EntityState {
        var attributes: [String: JSONValue] = [:]
        if let level = report.number("brightness") { attributes["brightness"] = .number(min(max((level / 255 * 100).rounded(), 0), 100)) }
        if report.text("color_mode") == "color_temp", let kelvin = report.number("color_temp_kelvin"), kelvin > 0 {
            attributes["color"] = ["temperature": .number(kelvin.rounded())]
        } else if supportsColour, case .array(let parts)? = report.attributes["hs_color"], parts.count == 2,
            let hue = parts.first?.number, let saturation = parts.last?.number, (0...360).contains(hue), (0...100).contains(saturation)
        {
            attributes["color"] = ["hue": .number(hue.rounded(to: 1)), "saturation": .number(saturation.rounded(to: 1))]
        }
        if supportsColour || supportsColourTemperature {
            attributes[EntityState.colorModes] = .array((supportsColour ? ["hs"] : []) + (supportsColourTemperature ? ["color_temp"] : []))
        }
        if supportsColourTemperature { attributes.merge(colourTemperatureRange) { _, report in report } }
        return EntityState(["on", "off"].contains(report.value) ? report.value : "unknown", attributes: attributes)
    }

    func serviceCall(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? {
        guard verbs.contains(verb), let call = call(verb, value) else { return nil }
        // Bit 32: transition.
        guard let transition, report.hasFeature(32) else { return call }
        return ServiceCall(call.service, call.data.merging(["transition": .number(transition)]) { _, new in new })
    }

    private func call(_ verb: Verb, _ value: JSONValue?) -> ServiceCall? {
        switch verb {
        case .on: return ServiceCall("turn_on")
        case .off: return ServiceCall("turn_off")
        case .setBrightness:
            guard let percent = value?.number else { return nil }
            // A small brightness must not become zero.
            return percent <= 0
                ? ServiceCall("turn_off") : ServiceCall("turn_on", ["brightness": .number(max(1, (percent / 100 * 255).rounded()))])
        case .setColor:
            if let kelvin = value?["temperature"]?.number {
                return supportsColourTemperature ? ServiceCall("turn_on", ["color_temp_kelvin": .number(kelvin)]) : nil
            }
            guard supportsColour, let hue = value?["hue"]?.number, let saturation = value?["saturation"]?.number else { return nil }
            return ServiceCall("turn_on", ["hs_color": [.number(hue), .number(saturation)]])
        default: return nil
        }
    }
}
