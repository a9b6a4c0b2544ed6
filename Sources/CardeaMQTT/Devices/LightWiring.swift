import CardeaModel

/// A light that has a topic for each thing it does (Home Assistant: MQTT light, default schema).
struct LightWiring: Wiring {
    private let power: OnOff
    private let brightness: Channel
    private let brightnessScale: Double
    private let temperature: Channel
    private let isKelvin: Bool
    /// In which whites it says that it shines.
    private let whites: [String: JSONValue]
    private let hueSaturation: Channel
    private let rgb: Channel
    private let commandOrder: String

    /// Where one property is told and asked.
    private struct Channel {
        let reading: Reading?
        let target: Target?
    }

    init(_ fields: inout Fields) {
        power = OnOff(&fields, stateTemplates: "state_value_template", "value_template")
        brightness = Channel(
            reading: fields.reading("brightness_state_topic", "brightness_value_template"),
            target: fields.target("brightness_command_topic", "brightness_command_template"))
        let scale = fields.number("brightness_scale") ?? 255
        brightnessScale = scale >= 1 ? scale : 255
        temperature = Channel(
            reading: fields.reading("color_temp_state_topic", "color_temp_value_template"),
            target: fields.target("color_temp_command_topic", "color_temp_command_template"))
        isKelvin = fields.flag("color_temp_kelvin") ?? false
        whites = Colour.whites(fields)
        hueSaturation = Channel(
            reading: fields.reading("hs_state_topic", "hs_value_template"),
            target: fields.target("hs_command_topic", "hs_command_template"))
        rgb = Channel(
            reading: fields.reading("rgb_state_topic", "rgb_value_template"),
            target: fields.target("rgb_command_topic", "rgb_command_template"))
        commandOrder = fields.text("on_command_type", else: "last")
    }

    var verbs: Set<Verb> {
        var verbs: Set<Verb> = power.target == nil ? [] : [.on, .off]
        if brightness.target != nil { verbs.insert(.setBrightness) }
        if temperature.target != nil || hueSaturation.target != nil || rgb.target != nil { verbs.insert(.setColor) }
        return verbs
    }

    var readings: [Reading] {
        [power.reading, brightness.reading, temperature.reading, hueSaturation.reading, rgb.reading].compactMap(\.self)
    }

    func state(_ state: EntityState, after heard: Heard) -> EntityState? {
        var next = power.state(state, after: heard) ?? state
        var isAboutUs = next != state || power.reading?.text(in: heard) != nil
        if let level = brightness.reading?.number(in: heard), let percent = Scale(closed: 0, open: brightnessScale).percent(level) {
            isAboutUs = true
            next.attributes["brightness"] = .number(percent)
        }
        if let number = temperature.reading?.number(in: heard), let kelvin = Colour.kelvin(number, isKelvin: isKelvin) {
            isAboutUs = true
            next.attributes["color"] = ["temperature": .number(kelvin)]
        }
        if let parts = hueSaturation.reading?.numbers(in: heard), parts.count == 2, let hue = parts.first, let saturation = parts.last {
            isAboutUs = true
            next.attributes["color"] = Colour(hue: hue, saturation: saturation).json
        }
        if let parts = rgb.reading?.numbers(in: heard), let colour = Colour(rgb: parts) {
            isAboutUs = true
            next.attributes["color"] = colour.json
        }
        let hasHues = hueSaturation.target != nil || rgb.target != nil, hasWarmth = temperature.target != nil
        if hasHues || hasWarmth {
            next.attributes[EntityState.colorModes] = .array((hasHues ? ["hs"] : []) + (hasWarmth ? ["color_temp"] : []))
        }
        // Described anew, a lamp may say others, or none any more.
        for bound in [EntityState.warmestWhite, EntityState.coldestWhite] { next.attributes[bound] = hasWarmth ? whites[bound] : nil }
        return isAboutUs ? next : nil
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, in state: EntityState) -> [Telegram]? {
        switch verb {
        case .setBrightness:
            guard let target = brightness.target, let percent = value?.number else { return nil }
            if percent <= 0, let off = power.telegram(for: .off) { return [off] }
            // A light that is told a little must not understand "nothing".
            let level = max(1, Text.round(Scale(closed: 0, open: brightnessScale).value(percent)))
            return target.telegram(.number(level)).map { with($0, carriesOn: commandOrder == "brightness") }
        case .setColor:
            guard let colour = colourTelegram(value) else { return nil }
            return with(colour, carriesOn: false)
        default: return power.telegram(for: verb).map { [$0] }
        }
    }

    /// The light is switched on by its own word, before or after, unless the property does that.
    private func with(_ telegram: Telegram, carriesOn: Bool) -> [Telegram] {
        guard !carriesOn, let on = power.telegram(for: .on) else { return [telegram] }
        return commandOrder == "first" ? [on, telegram] : [telegram, on]
    }

    private func colourTelegram(_ value: JSONValue?) -> Telegram? {
        if let kelvin = value?["temperature"]?.number {
            return Colour.deviceTemperature(kelvin, isKelvin: isKelvin).flatMap { temperature.target?.telegram(.number($0)) }
        }
        guard let hue = value?["hue"]?.number, let saturation = value?["saturation"]?.number else { return nil }
        let colour = Colour(hue: hue, saturation: saturation)
        if let target = hueSaturation.target {
            let parts = [Text.round(hue, 3), Text.round(saturation, 3)]
            return target.telegram(
                .string(parts.map(Text.write).joined(separator: ",")), ["hue": .number(parts[0]), "sat": .number(parts[1])])
        }
        let parts = colour.rgb.map { Text.round($0) }
        guard let target = rgb.target, parts.count == 3 else { return nil }
        return target.telegram(
            .string(parts.map(Text.write).joined(separator: ",")),
            ["red": .number(parts[0]), "green": .number(parts[1]), "blue": .number(parts[2])])
    }

    func reports(_ verb: Verb) -> Bool {
        switch verb {
        case .setBrightness: brightness.reading != nil
        case .setColor: temperature.reading != nil || hueSaturation.reading != nil || rgb.reading != nil
        default: power.reading != nil
        }
    }
}
