import CardeaModel
import CardeaTemplates

/// A light whose messages are made and read by templates (Home Assistant: MQTT light, `schema: template`).
struct TemplateLightMapping: EntityMapping {
    let stateTopics: [StateTopic]
    let staticAttributes: StaticAttributes
    let verbs: Set<Verb>
    private let onCommandTopic: CommandTopic?
    private let offCommandTopic: CommandTopic?
    private let stateTopic: StateTopic?
    private let brightness: StateTopic?
    private let temperature: StateTopic?
    private let red: StateTopic?
    private let green: StateTopic?
    private let blue: StateTopic?
    private let effect: StateTopic?
    private let effects: [String]
    private let isKelvin: Bool
    private let whiteRange: ColourTemperatureRange
    private let modes: Set<ColourMode>

    init(_ fields: inout AnnouncementFields) {
        onCommandTopic = Self.commandTopic("command_on_template", &fields)
        offCommandTopic = Self.commandTopic("command_off_template", &fields)
        stateTopic = fields.stateTopic("state_topic", "state_template")
        brightness = Self.stateTopic("brightness_template", &fields)
        temperature = Self.stateTopic("color_temp_template", &fields)
        red = Self.stateTopic("red_template", &fields)
        green = Self.stateTopic("green_template", &fields)
        blue = Self.stateTopic("blue_template", &fields)
        effect = Self.stateTopic("effect_template", &fields)
        effects = fields.texts("effect_list")
        isKelvin = fields.flag("color_temp_kelvin") ?? false
        whiteRange = ColourTemperatureRange(fields)
        stateTopics = [stateTopic, brightness, temperature, red, green, blue, effect].compactMap(\.self)
        var modes: Set<ColourMode> = []
        if fields.has("color_temp_template") { modes.insert(.temperature) }
        if ["red_template", "green_template", "blue_template"].allSatisfy(fields.has) { modes.insert(.hs) }
        if modes.isEmpty, fields.has("brightness_template") { modes.insert(.brightness) }
        self.modes = modes
        var values = modes.contains(.temperature) ? whiteRange.attributes : [:]
        values[EntityState.colorModes] = ColourMode.attribute(modes)
        values["effect_list"] = StaticAttributes.list(effects)
        staticAttributes = StaticAttributes(values)
        var verbs: Set<Verb> = []
        if onCommandTopic != nil, offCommandTopic != nil {
            verbs = [.on, .off]
            if !modes.isEmpty { verbs.insert(.setBrightness) }
            if modes.contains(.hs) || modes.contains(.temperature) { verbs.insert(.setColor) }
            if !effects.isEmpty { verbs.insert(.setEffect) }
        } else if fields.has("command_topic") {
            fields.addNotice("A light of the schema “template” needs command_on_template and command_off_template: add both on the device.")
        }
        self.verbs = verbs
    }

    private static func commandTopic(_ template: String, _ fields: inout AnnouncementFields) -> CommandTopic? {
        fields.has(template) ? fields.commandTopic("command_topic", template) : nil
    }

    private static func stateTopic(_ template: String, _ fields: inout AnnouncementFields) -> StateTopic? {
        fields.has(template) ? fields.stateTopic("state_topic", template) : nil
    }

    var commandTopics: Set<String> { Set([onCommandTopic, offCommandTopic].compactMap { $0?.topic }) }

    // MARK: State

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        guard stateTopics.contains(where: { $0.topic == message.topic }) else { return nil }
        var next = state
        var isAboutUs = false
        if let word = stateTopic?.text(in: message), let value = ["on": "on", "off": "off", StateVocabulary.none: "unknown"][word] {
            isAboutUs = true
            next.value = value
        }
        if let level = brightness?.text(in: message).flatMap(PythonNumber.integer), level > 0 {
            isAboutUs = true
            next.attributes["brightness"] = BrightnessScale.percent(Double(level), scale: 255)
        }
        if let whole = temperature?.text(in: message).flatMap(PythonNumber.integer), whole > 0 {
            let number = Double(whole)
            if let kelvin = isKelvin ? number : Colour.reciprocal(number) {
                isAboutUs = true
                next.attributes[Self.kelvinAttribute] = .number(kelvin)
            }
        }
        if modes.contains(.hs), let colour = colour(in: message) {
            isAboutUs = true
            if colour == .null { next.attributes.removeValue(forKey: "color") } else { next.attributes["color"] = colour }
        }
        if let name = effect?.text(in: message), effects.contains(name) {
            isAboutUs = true
            next.attributes["effect"] = .string(String(name.prefix(64)))
        }
        guard isAboutUs else { return nil }
        // A hue takes precedence over a colour temperature.
        if next.attributes["color"]?["hue"] == nil, let kelvin = next.attributes[Self.kelvinAttribute] {
            next.attributes["color"] = ["temperature": kelvin]
        }
        staticAttributes.apply(to: &next.attributes)
        return next
    }

    /// The attribute in which the warmth is kept that a light names beside a hue.
    private static let kelvinAttribute = "color_temp_kelvin"

    /// The colour of a message. Null if the light says that it has none, and nil if it does not say.
    private func colour(in message: IncomingMessage) -> JSONValue? {
        let texts = [red, green, blue].compactMap { $0?.text(in: message) }
        if texts.count == 3, texts.allSatisfy({ $0 == StateVocabulary.none }) { return .null }
        let parts = texts.compactMap(PythonNumber.integer).map(Double.init)
        guard case .channels(_, let rgb, _)? = LightColour(.rgb, parts) else { return nil }
        return Colour(rgb)?.json
    }

    // MARK: Commands

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    {
        guard verbs.contains(verb) else { return nil }
        var variables: [String: CommandArgument] = [:]
        var isOn = verb != .off
        switch verb {
        case .setBrightness:
            guard let level = BrightnessScale.level(value?.number).flatMap(Int.init(exactly:)) else { return nil }
            if level == 0 { isOn = false } else { variables["brightness"] = .integer(level) }
        case .setColor:
            let last = BrightnessScale.level(in: state, scale: 255)
            guard let colour = LightColour(value, for: modes, whites: whiteRange, brightness: last) else { return nil }
            switch colour {
            case .temperature(let kelvin):
                guard let number = isKelvin ? kelvin : Colour.reciprocal(kelvin), let whole = Int(exactly: number) else { return nil }
                variables["color_temp"] = .integer(whole)
            case .hs(let colour):
                // A light with a template for its brightness gets colours at full brightness.
                let level = brightness != nil ? 255 : last ?? 255
                let rgb = colour.rgb(value: level / 255 * 100)
                for (name, part) in [("red", rgb.red), ("green", rgb.green), ("blue", rgb.blue)] {
                    variables[name] = Int(exactly: part).map(CommandArgument.integer)
                }
                variables["hue"] = .float(colour.hue)
                variables["sat"] = .float(colour.saturation)
            case .xy, .channels: return nil
            }
        case .setEffect:
            guard let effect = value?.string, effects.contains(effect) else { return nil }
            variables["effect"] = .text(effect)
        default: break
        }
        variables["state"] = .flag(isOn)
        if let transition, transition.isFinite, transition >= 0 { variables["transition"] = .float(min(transition, 6553)) }
        return (isOn ? onCommandTopic : offCommandTopic)?.commandMessage(.null, variables).map { [$0] }
    }

    func reports(_ verb: Verb) -> Bool {
        switch verb {
        case .setBrightness: brightness != nil
        case .setColor: temperature != nil || red != nil
        case .setEffect: effect != nil
        default: stateTopic != nil
        }
    }
}
