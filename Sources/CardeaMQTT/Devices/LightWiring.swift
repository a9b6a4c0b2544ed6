import CardeaModel

/// A light that has a topic for each thing it does (Home Assistant: MQTT light, default schema).
struct LightWiring: Wiring {
    let power: OnOff
    let brightness: Channel
    let brightnessScale: Double
    let temperature: Channel
    let isKelvin: Bool
    let whites: Whites
    let hueSaturation: Channel
    let xy: Channel
    /// The channels of red, green, blue and perhaps white light.
    let channels: [ColourMode: Channel]
    let colourMode: Reading?
    let effect: Channel
    let effects: [String]
    private let white: Target?
    private let whiteScale: Double
    private let order: Order
    /// How its colour can be told.
    let modes: Set<ColourMode>
    let traits: Traits

    /// The topics of one property.
    struct Channel: Sendable {
        let reading: Reading?
        let target: Target?
    }

    /// When the light is told to be on, beside what else it is told.
    private enum Order: String {
        case first, last
        /// Never: its brightness does that.
        case brightness
    }

    init(_ fields: inout Fields) {
        power = OnOff(&fields, stateTemplate: "state_value_template", commandTemplate: nil, hasStateWords: false)
        brightness = Self.channel("brightness", &fields)
        brightnessScale = Self.scale("brightness_scale", fields)
        temperature = Self.channel("color_temp", &fields)
        isKelvin = fields.flag("color_temp_kelvin") ?? false
        whites = Whites(fields)
        hueSaturation = Self.channel("hs", &fields)
        xy = Self.channel("xy", &fields)
        var channels: [ColourMode: Channel] = [:]
        for mode in [ColourMode.rgb, .rgbw, .rgbww] { channels[mode] = Self.channel(mode.rawValue, &fields) }
        self.channels = channels
        colourMode = fields.reading("color_mode_state_topic", "color_mode_value_template")
        effect = Self.channel("effect", &fields)
        effects = fields.texts("effect_list")
        white = fields.target("white_command_topic")
        whiteScale = Self.scale("white_scale", fields)
        order = Order(rawValue: fields.text("on_command_type", else: "last")) ?? .last
        var modes: Set<ColourMode> = []
        if temperature.target != nil { modes.insert(.temperature) }
        if hueSaturation.target != nil { modes.insert(.hs) }
        if xy.target != nil { modes.insert(.xy) }
        for (mode, channel) in channels where channel.target != nil { modes.insert(mode) }
        if white != nil, !modes.isDisjoint(with: ColourMode.hues) { modes.insert(.white) }
        self.modes = modes
        var values = modes.contains(.temperature) ? whites.attributes : [:]
        values[EntityState.colorModes] = ColourMode.attribute(modes)
        if effect.target != nil { values["effect_list"] = Traits.list(effects) }
        traits = Traits(values)
    }

    private static func channel(_ name: String, _ fields: inout Fields) -> Channel {
        Channel(
            reading: fields.reading("\(name)_state_topic", "\(name)_value_template"),
            target: fields.target("\(name)_command_topic", "\(name)_command_template"))
    }

    /// The highest value of a scale; 255 where the announcement has none.
    static func scale(_ key: String, _ fields: Fields) -> Double {
        guard let scale = fields.number(key), scale >= 1, scale <= 1e9 else { return 255 }
        return scale.rounded(.towardZero)
    }

    var verbs: Set<Verb> {
        var verbs: Set<Verb> = power.target == nil ? [] : [.on, .off]
        if brightness.target != nil || channels.values.contains(where: { $0.target != nil }) { verbs.insert(.setBrightness) }
        if !modes.isEmpty { verbs.insert(.setColor) }
        if effect.target != nil, !effects.isEmpty { verbs.insert(.setEffect) }
        return verbs
    }

    var commandTopics: Set<String> {
        let own = [power.target, brightness.target, temperature.target, hueSaturation.target, xy.target, effect.target, white]
        return Set((own + channels.values.map(\.target)).compactMap { $0?.topic })
    }

    // MARK: Commands

    /// The wanted properties of a light that is switched on.
    private struct Wish {
        /// 0 to 255.
        var brightness: Double?
        var colour: LightColour?
        var effect: String?
        /// 0 to 255.
        var white: Double?
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [Telegram]? {
        guard verbs.contains(verb) else { return nil }
        let now = Brightness.level(in: state, scale: brightness.reading == nil ? 255 : brightnessScale)
        var wish = Wish()
        switch verb {
        case .on: break
        case .off: return power.telegram(for: .off).map { [$0] }
        case .setBrightness:
            guard let level = Brightness.level(value?.number) else { return nil }
            if level == 0 { return power.telegram(for: .off).map { [$0] } }
            wish.brightness = level
        case .setColor:
            if let percent = value?["white"]?.number {
                guard modes.contains(.white), let level = Brightness.level(percent) else { return nil }
                if level == 0 { return power.telegram(for: .off).map { [$0] } }
                wish.white = level
            } else {
                guard let colour = LightColour(value, for: modes, whites: whites, brightness: now) else { return nil }
                wish.colour = colour
            }
        case .setEffect:
            guard let effect = value?.string, effects.contains(effect) else { return nil }
            wish.effect = effect
        default: return nil
        }
        if order == .brightness, wish.brightness == nil, wish.white == nil { wish.brightness = now ?? 255 }
        guard let changes = telegrams(for: wish, in: state, at: now) else { return nil }
        let on = order == .brightness ? [] : [power.telegram(for: .on)].compactMap(\.self)
        let telegrams = order == .first ? on + changes : changes + on
        return telegrams.isEmpty ? nil : telegrams
    }

    /// The messages of a wish in Home Assistant's order; nil where one of them cannot be made.
    private func telegrams(for wish: Wish, in state: EntityState, at now: Double?) -> [Telegram]? {
        var telegrams: [Telegram?] = []
        // A light with a topic for its brightness is told colours at full brightness.
        let level = brightness.target != nil ? 255 : wish.brightness ?? now ?? 255
        if let colour = wish.colour {
            switch colour {
            case .hs(let colour):
                telegrams.append(
                    hueSaturation.target?.telegram(
                        Self.pair(colour.hue, colour.saturation), ["hue": .float(colour.hue), "sat": .float(colour.saturation)]))
            case .channels: telegrams.append(telegram(colour, at: level))
            case .xy(let x, let y): telegrams.append(xy.target?.telegram(Self.pair(x, y), ["x": .float(x), "y": .float(y)]))
            case .temperature: break
            }
        }
        if let brightness = wish.brightness {
            if self.brightness.target != nil {
                telegrams.append(self.brightness.target?.telegram(Self.whole(max(scaled(brightness, brightnessScale), 1))))
            } else if let last = lastChannels(in: state, without: wish.colour) {
                telegrams.append(telegram(last, at: brightness))
            }
        }
        if case .temperature(let kelvin)? = wish.colour {
            guard let number = isKelvin ? kelvin : Colour.reciprocal(kelvin) else { return nil }
            telegrams.append(temperature.target?.telegram(Self.whole(number)))
        }
        if let name = wish.effect { telegrams.append(effect.target?.telegram(.text(name))) }
        if let level = wish.white { telegrams.append(white?.telegram(Self.whole(scaled(level, whiteScale)))) }
        let made = telegrams.compactMap(\.self)
        return made.count == telegrams.count ? made : nil
    }

    private func scaled(_ level: Double, _ scale: Double) -> Double { min(PythonNumber.round(level / 255 * scale), scale) }

    private static func whole(_ number: Double) -> Argument { Int(exactly: number).map(Argument.integer) ?? .float(number) }

    private static func pair(_ first: Double, _ second: Double) -> Argument {
        .text("\(PythonNumber.text(first)),\(PythonNumber.text(second))")
    }

    /// The channels to dim where the light has no topic for its brightness: those it last had, or white.
    private func lastChannels(in state: EntityState, without asked: LightColour?) -> LightColour? {
        for mode in [ColourMode.rgb, .rgbw, .rgbww] where modes.contains(mode) {
            if case .channels(mode, _, _)? = asked { continue }
            let count = mode == .rgb ? 3 : mode == .rgbw ? 4 : 5
            return remembered(mode, in: state) ?? LightColour(mode, [Double](repeating: 255, count: count))
        }
        return nil
    }

    private func telegram(_ colour: LightColour, at level: Double) -> Telegram? {
        guard case .channels(let mode, _, _) = colour else { return nil }
        let parts = colour.parts.map { ($0 * level / 255).rounded(.towardZero) }
        let names = ["red", "green", "blue"] + (mode == .rgbw ? ["white"] : mode == .rgbww ? ["cold_white", "warm_white"] : [])
        let variables = Dictionary(zip(names, parts.map(Self.whole)), uniquingKeysWith: { first, _ in first })
        return channels[mode]?.target?.telegram(.text(parts.map { Text.write($0) }.joined(separator: ",")), variables)
    }

    func reports(_ verb: Verb) -> Bool {
        switch verb {
        case .setBrightness: brightness.reading != nil || channels.values.contains { $0.reading != nil }
        case .setColor:
            [temperature, hueSaturation, xy].contains { $0.reading != nil } || channels.values.contains { $0.reading != nil }
        case .setEffect: effect.reading != nil
        default: power.reading != nil
        }
    }
}
