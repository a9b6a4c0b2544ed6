import CardeaModel

/// A light that takes everything in one JSON message (Home Assistant: MQTT light, `schema: json`).
struct JSONLightMapping: EntityMapping {
    let stateTopics: [StateTopic]
    let staticAttributes: StaticAttributes
    private let commandTopic: CommandTopic?
    private let brightnessScale: Double
    private let whiteScale: Double
    private let modes: Set<ColourMode>
    private let isKelvin: Bool
    private let whiteRange: ColourTemperatureRange
    private let hasEffects: Bool

    init(_ fields: inout AnnouncementFields) {
        commandTopic = fields.commandTopic("command_topic")
        // The state is the message itself; this schema has no template.
        stateTopics = [fields.stateTopic("state_topic")].compactMap(\.self)
        let said = Set(fields.texts("supported_color_modes").compactMap(ColourMode.init(rawValue:)))
        modes = said.isEmpty && fields.flag("brightness") == true ? [.brightness] : said
        brightnessScale = LightMapping.scale("brightness_scale", fields)
        whiteScale = LightMapping.scale("white_scale", fields)
        isKelvin = fields.flag("color_temp_kelvin") ?? false
        whiteRange = ColourTemperatureRange(fields)
        hasEffects = fields.flag("effect") ?? false
        var values = modes.contains(.temperature) ? whiteRange.attributes : [:]
        values[EntityState.colorModes] = ColourMode.attribute(modes)
        if hasEffects { values["effect_list"] = StaticAttributes.list(fields.texts("effect_list")) }
        staticAttributes = StaticAttributes(values)
    }

    /// Every mode but on and off dims.
    private var isDimmable: Bool { modes.contains { $0 != .onoff } }

    var verbs: Set<Verb> {
        guard commandTopic != nil else { return [] }
        var verbs: Set<Verb> = [.on, .off]
        if isDimmable { verbs.insert(.setBrightness) }
        if !modes.isDisjoint(with: ColourMode.hues.union([.temperature])) { verbs.insert(.setColor) }
        if hasEffects { verbs.insert(.setEffect) }
        return verbs
    }

    var commandTopics: Set<String> { Set([commandTopic].compactMap { $0?.topic }) }

    // MARK: State

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        // A message without a state is not about this light.
        guard stateTopics.contains(where: { $0.topic == message.topic }), case .object(let said)? = message.json, let word = said["state"]
        else {
            return nil
        }
        var next = state
        switch word {
        case "ON": next.value = "on"
        case "OFF": next.value = "off"
        case .null: next.value = "unknown"
        default: break
        }
        if isDimmable, let level = said["brightness"]?.number, level > 0 {
            next.attributes["brightness"] = BrightnessScale.percent(level, scale: brightnessScale)
        }
        if let mode = said["color_mode"]?.string.flatMap(ColourMode.init(rawValue:)), modes.contains(mode) {
            if mode == .white {
                next.attributes["color"] = ["white": next.attributes["brightness"] ?? 100]
            } else if let colour = colour(mode, in: said), let json = colour.json(whiteRange) {
                next.attributes["color"] = json
            }
        } else if let white = next.attributes["color"]?["white"], let level = next.attributes["brightness"], level != white {
            next.attributes["color"] = ["white": level]
        }
        if hasEffects, let effect = said["effect"] {
            next.attributes["effect"] = effect.string.map { .string(String($0.prefix(64))) }
        }
        staticAttributes.apply(to: &next.attributes)
        return next
    }

    private func colour(_ mode: ColourMode, in said: [String: JSONValue]) -> LightColour? {
        let parts = said["color"]
        func number(_ name: String) -> Double? { PayloadText.number(parts?[name]) }
        switch mode {
        case .temperature:
            guard let value = said["color_temp"]?.number, value >= 1, value < 1e9 else { return nil }
            return (isKelvin ? value : Colour.reciprocal(value)).map(LightColour.temperature)
        case .hs:
            guard let hue = number("h"), let saturation = number("s") else { return nil }
            return .hs(Colour(hue: hue, saturation: saturation))
        case .xy:
            guard let x = number("x"), let y = number("y") else { return nil }
            return .xy(x: x, y: y)
        case .rgb: return LightColour(mode, ["r", "g", "b"].compactMap { number($0)?.rounded(.towardZero) })
        case .rgbw: return LightColour(mode, ["r", "g", "b", "w"].compactMap { number($0)?.rounded(.towardZero) })
        case .rgbww: return LightColour(mode, ["r", "g", "b", "c", "w"].compactMap { number($0)?.rounded(.towardZero) })
        case .onoff, .brightness, .white: return nil
        }
    }

    // MARK: Commands

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    {
        guard let commandTopic, verbs.contains(verb) else { return nil }
        // Members after the colour.
        var tail = OrderedJSONObject.Members()
        if let transition, transition.isFinite, transition >= 0 { tail.append(("transition", .float(min(transition, 6553)))) }
        var colour: OrderedJSONObject?
        var isOn = verb != .off
        switch verb {
        case .setBrightness:
            guard let level = BrightnessScale.level(value?.number) else { return nil }
            let own = max(PythonNumber.round(level * brightnessScale / 255), 1)
            if level == 0 { isOn = false } else { tail.append(("brightness", Self.whole(own))) }
        case .setColor:
            if let percent = value?["white"]?.number {
                guard modes.contains(.white), let level = BrightnessScale.level(percent) else { return nil }
                let own = max(min(PythonNumber.round(level / 255 * whiteScale), whiteScale), 1)
                if level == 0 { isOn = false } else { tail.append(("white", Self.whole(own))) }
            } else {
                let level = BrightnessScale.level(in: state, scale: brightnessScale)
                guard let asked = LightColour(value, for: modes, whites: whiteRange, brightness: level) else { return nil }
                if case .temperature(let kelvin) = asked {
                    guard let number = isKelvin ? kelvin : Colour.reciprocal(kelvin) else { return nil }
                    tail.append(("color_temp", Self.whole(number)))
                } else {
                    colour = Self.message(asked)
                }
            }
        case .setEffect:
            guard let effect = value?.string else { return nil }
            tail.append(("effect", .text(effect)))
        default: break
        }
        var message = OrderedJSONObject()
        message.add("state", .text(isOn ? "ON" : "OFF"))
        if let colour { message.add("color", colour) }
        for (name, argument) in tail { message.add(name, argument) }
        return [CommandMessage(topic: commandTopic.topic, payload: message.text)]
    }

    private static func whole(_ number: Double) -> CommandArgument { Int(exactly: number).map(CommandArgument.integer) ?? .float(number) }

    private static func message(_ colour: LightColour) -> OrderedJSONObject {
        var message = OrderedJSONObject()
        switch colour {
        case .hs(let colour):
            message.add("h", .float(colour.hue))
            message.add("s", .float(colour.saturation))
        case .xy(let x, let y):
            message.add("x", .float(x))
            message.add("y", .float(y))
        case .channels(let mode, _, _):
            let names = ["r", "g", "b"] + (mode == .rgbww ? ["c", "w"] : ["w"])
            for (name, part) in zip(names, colour.parts) { message.add(name, whole(part)) }
        case .temperature: break
        }
        return message
    }
}
