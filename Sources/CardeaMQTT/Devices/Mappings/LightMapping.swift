import CardeaModel

/// A light that has a topic for each thing it does (Home Assistant: MQTT light, default schema).
struct LightMapping: EntityMapping {
    let power: OnOffTopics
    let brightness: TopicPair
    let brightnessScale: Double
    let temperature: TopicPair
    let isKelvin: Bool
    let whiteRange: ColourTemperatureRange
    let hueSaturation: TopicPair
    let xy: TopicPair
    /// The channels of red, green, blue and perhaps white light.
    let channels: [ColourMode: TopicPair]
    let colourMode: StateTopic?
    let effect: TopicPair
    let effects: [String]
    private let white: CommandTopic?
    private let whiteScale: Double
    private let onCommandType: OnCommandType
    /// The colour modes that it accepts.
    let modes: Set<ColourMode>
    let staticAttributes: StaticAttributes

    /// The topics of one property.
    struct TopicPair: Sendable {
        let stateTopic: StateTopic?
        let commandTopic: CommandTopic?
    }

    /// The order of the "on" command and other commands.
    private enum OnCommandType: String {
        case first, last
        /// Never: its brightness does that.
        case brightness
    }

    init(_ fields: inout AnnouncementFields) {
        power = OnOffTopics(&fields, stateTemplate: "state_value_template", commandTemplate: nil, hasStateWords: false)
        brightness = Self.channel("brightness", &fields)
        brightnessScale = Self.scale("brightness_scale", fields)
        temperature = Self.channel("color_temp", &fields)
        isKelvin = fields.flag("color_temp_kelvin") ?? false
        whiteRange = ColourTemperatureRange(fields)
        hueSaturation = Self.channel("hs", &fields)
        xy = Self.channel("xy", &fields)
        var channels: [ColourMode: TopicPair] = [:]
        for mode in [ColourMode.rgb, .rgbw, .rgbww] { channels[mode] = Self.channel(mode.rawValue, &fields) }
        self.channels = channels
        colourMode = fields.stateTopic("color_mode_state_topic", "color_mode_value_template")
        effect = Self.channel("effect", &fields)
        effects = fields.texts("effect_list")
        white = fields.commandTopic("white_command_topic")
        whiteScale = Self.scale("white_scale", fields)
        onCommandType = OnCommandType(rawValue: fields.text("on_command_type", else: "last")) ?? .last
        var modes: Set<ColourMode> = []
        if temperature.commandTopic != nil { modes.insert(.temperature) }
        if hueSaturation.commandTopic != nil { modes.insert(.hs) }
        if xy.commandTopic != nil { modes.insert(.xy) }
        for (mode, channel) in channels where channel.commandTopic != nil { modes.insert(mode) }
        if white != nil, !modes.isDisjoint(with: ColourMode.hues) { modes.insert(.white) }
        self.modes = modes
        var values = modes.contains(.temperature) ? whiteRange.attributes : [:]
        values[EntityState.colorModes] = ColourMode.attribute(modes)
        if effect.commandTopic != nil { values["effect_list"] = StaticAttributes.list(effects) }
        staticAttributes = StaticAttributes(values)
    }

    private static func channel(_ name: String, _ fields: inout AnnouncementFields) -> TopicPair {
        TopicPair(
            stateTopic: fields.stateTopic("\(name)_state_topic", "\(name)_value_template"),
            commandTopic: fields.commandTopic("\(name)_command_topic", "\(name)_command_template"))
    }

    /// The highest value of a scale; 255 if the announcement has none.
    static func scale(_ key: String, _ fields: AnnouncementFields) -> Double {
        guard let scale = fields.number(key), scale >= 1, scale <= 1e9 else { return 255 }
        return scale.rounded(.towardZero)
    }

    var verbs: Set<Verb> {
        var verbs: Set<Verb> = power.commandTopic == nil ? [] : [.on, .off]
        if brightness.commandTopic != nil || channels.values.contains(where: { $0.commandTopic != nil }) { verbs.insert(.setBrightness) }
        if !modes.isEmpty { verbs.insert(.setColor) }
        if effect.commandTopic != nil, !effects.isEmpty { verbs.insert(.setEffect) }
        return verbs
    }

    var commandTopics: Set<String> {
        let own = [
            power.commandTopic, brightness.commandTopic, temperature.commandTopic, hueSaturation.commandTopic, xy.commandTopic,
            effect.commandTopic, white,
        ]
        return Set((own + channels.values.map(\.commandTopic)).compactMap { $0?.topic })
    }

    // MARK: Commands

    /// The wanted properties of a light that is switched on.
    private struct LightCommand {
        /// 0 to 255.
        var brightness: Double?
        var colour: LightColour?
        var effect: String?
        /// 0 to 255.
        var white: Double?
    }

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    {
        guard verbs.contains(verb) else { return nil }
        let now = BrightnessScale.level(in: state, scale: brightness.stateTopic == nil ? 255 : brightnessScale)
        var wish = LightCommand()
        switch verb {
        case .on: break
        case .off: return power.commandMessage(for: .off).map { [$0] }
        case .setBrightness:
            guard let level = BrightnessScale.level(value?.number) else { return nil }
            if level == 0 { return power.commandMessage(for: .off).map { [$0] } }
            wish.brightness = level
        case .setColor:
            if let percent = value?["white"]?.number {
                guard modes.contains(.white), let level = BrightnessScale.level(percent) else { return nil }
                if level == 0 { return power.commandMessage(for: .off).map { [$0] } }
                wish.white = level
            } else {
                guard let colour = LightColour(value, for: modes, whites: whiteRange, brightness: now) else { return nil }
                wish.colour = colour
            }
        case .setEffect:
            guard let effect = value?.string, effects.contains(effect) else { return nil }
            wish.effect = effect
        default: return nil
        }
        if onCommandType == .brightness, wish.brightness == nil, wish.white == nil { wish.brightness = now ?? 255 }
        guard let changes = commandMessages(for: wish, in: state, at: now) else { return nil }
        let on = onCommandType == .brightness ? [] : [power.commandMessage(for: .on)].compactMap(\.self)
        let messages = onCommandType == .first ? on + changes : changes + on
        return messages.isEmpty ? nil : messages
    }

    /// The messages of a command in Home Assistant's order; nil if one of them cannot be made.
    private func commandMessages(for wish: LightCommand, in state: EntityState, at now: Double?) -> [CommandMessage]? {
        var messages: [CommandMessage?] = []
        // A light with a topic for its brightness gets colours at full brightness.
        let level = brightness.commandTopic != nil ? 255 : wish.brightness ?? now ?? 255
        if let colour = wish.colour {
            switch colour {
            case .hs(let colour):
                messages.append(
                    hueSaturation.commandTopic?.commandMessage(
                        Self.pair(colour.hue, colour.saturation), ["hue": .float(colour.hue), "sat": .float(colour.saturation)]))
            case .channels: messages.append(commandMessage(colour, at: level))
            case .xy(let x, let y): messages.append(xy.commandTopic?.commandMessage(Self.pair(x, y), ["x": .float(x), "y": .float(y)]))
            case .temperature: break
            }
        }
        if let brightness = wish.brightness {
            if self.brightness.commandTopic != nil {
                messages.append(self.brightness.commandTopic?.commandMessage(Self.whole(max(scaled(brightness, brightnessScale), 1))))
            } else if let last = lastChannels(in: state, without: wish.colour) {
                messages.append(commandMessage(last, at: brightness))
            }
        }
        if case .temperature(let kelvin)? = wish.colour {
            guard let number = isKelvin ? kelvin : Colour.reciprocal(kelvin) else { return nil }
            messages.append(temperature.commandTopic?.commandMessage(Self.whole(number)))
        }
        if let name = wish.effect { messages.append(effect.commandTopic?.commandMessage(.text(name))) }
        if let level = wish.white { messages.append(white?.commandMessage(Self.whole(scaled(level, whiteScale)))) }
        let made = messages.compactMap(\.self)
        return made.count == messages.count ? made : nil
    }

    private func scaled(_ level: Double, _ scale: Double) -> Double { min(PythonNumber.round(level / 255 * scale), scale) }

    private static func whole(_ number: Double) -> CommandArgument { Int(exactly: number).map(CommandArgument.integer) ?? .float(number) }

    private static func pair(_ first: Double, _ second: Double) -> CommandArgument {
        .text("\(PythonNumber.text(first)),\(PythonNumber.text(second))")
    }

    /// The channels to dim if the light has no topic for its brightness: those it last had, or white.
    private func lastChannels(in state: EntityState, without asked: LightColour?) -> LightColour? {
        for mode in [ColourMode.rgb, .rgbw, .rgbww] where modes.contains(mode) {
            if case .channels(mode, _, _)? = asked { continue }
            let count = mode == .rgb ? 3 : mode == .rgbw ? 4 : 5
            return lastColour(mode, in: state) ?? LightColour(mode, [Double](repeating: 255, count: count))
        }
        return nil
    }

    private func commandMessage(_ colour: LightColour, at level: Double) -> CommandMessage? {
        guard case .channels(let mode, _, _) = colour else { return nil }
        let parts = colour.parts.map { ($0 * level / 255).rounded(.towardZero) }
        let names = ["red", "green", "blue"] + (mode == .rgbw ? ["white"] : mode == .rgbww ? ["cold_white", "warm_white"] : [])
        let variables = Dictionary(zip(names, parts.map(Self.whole)), uniquingKeysWith: { first, _ in first })
        return channels[mode]?.commandTopic?.commandMessage(.text(parts.map { PayloadText.write($0) }.joined(separator: ",")), variables)
    }

    func reports(_ verb: Verb) -> Bool {
        switch verb {
        case .setBrightness: brightness.stateTopic != nil || channels.values.contains { $0.stateTopic != nil }
        case .setColor:
            [temperature, hueSaturation, xy].contains { $0.stateTopic != nil } || channels.values.contains { $0.stateTopic != nil }
        case .setEffect: effect.stateTopic != nil
        default: power.stateTopic != nil
        }
    }
}
