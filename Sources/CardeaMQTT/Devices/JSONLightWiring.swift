import CardeaModel
import Foundation

/// A light that is told everything in one JSON message (Home Assistant: MQTT light, `schema: json`).
struct JSONLightWiring: Wiring {
    let readings: [Reading]
    private let target: Target?
    private let hasBrightness: Bool
    private let brightnessScale: Double
    private let modes: Set<String>
    private let isKelvin: Bool
    /// In which whites it says that it shines.
    private let whites: [String: JSONValue]

    /// Colour modes in which it shines in any hue.
    private static let hues: Set = ["hs", "rgb", "rgbw", "rgbww", "xy"]

    init(_ fields: inout Fields) {
        target = fields.target("command_topic")
        // The state is the message itself; this schema has no template.
        readings = [fields.reading("state_topic")].compactMap(\.self)
        modes = Set(fields.texts("supported_color_modes"))
        let colours: Set = ["hs", "rgb", "rgbw", "rgbww", "xy", "color_temp", "white"]
        hasBrightness = fields.flag("brightness") ?? false || modes.contains("brightness") || !modes.isDisjoint(with: colours)
        let scale = fields.number("brightness_scale") ?? 255
        brightnessScale = scale >= 1 ? scale : 255
        isKelvin = fields.flag("color_temp_kelvin") ?? false
        whites = Colour.whites(fields)
    }

    var verbs: Set<Verb> {
        guard target != nil else { return [] }
        var verbs: Set<Verb> = [.on, .off]
        if hasBrightness { verbs.insert(.setBrightness) }
        if !modes.isDisjoint(with: Self.hues.union(["color_temp"])) { verbs.insert(.setColor) }
        return verbs
    }

    func state(_ state: EntityState, after heard: Heard) -> EntityState? {
        guard readings.contains(where: { $0.topic == heard.topic }), case .object(let said)? = heard.json else { return nil }
        var next = state
        switch said["state"] {
        case .string("ON")?: next.value = "on"
        case .string("OFF")?: next.value = "off"
        case .null?: next.value = "unknown"
        default: break
        }
        if let level = Text.number(said["brightness"]), let percent = Scale(closed: 0, open: brightnessScale).percent(level) {
            next.attributes["brightness"] = .number(percent)
        }
        if let colour = colour(in: said) { next.attributes["color"] = colour }
        let hasHues = !modes.isDisjoint(with: Self.hues), hasWarmth = modes.contains("color_temp")
        if hasHues || hasWarmth {
            next.attributes[EntityState.colorModes] = .array((hasHues ? ["hs"] : []) + (hasWarmth ? ["color_temp"] : []))
        }
        // Described anew, a lamp may say others, or none any more.
        for bound in [EntityState.warmestWhite, EntityState.coldestWhite] { next.attributes[bound] = hasWarmth ? whites[bound] : nil }
        return next
    }

    private func colour(in said: [String: JSONValue]) -> JSONValue? {
        let mode = said["color_mode"]?.string
        let temperature = Text.number(said["color_temp"]).flatMap { Colour.kelvin($0, isKelvin: isKelvin) }
        if mode == "color_temp" || (mode == nil && said["color"] == nil), let temperature {
            return ["temperature": .number(temperature)]
        }
        guard let parts = said["color"] else { return nil }
        if let hue = Text.number(parts["h"]), let saturation = Text.number(parts["s"]) {
            return Colour(hue: hue, saturation: saturation).json
        }
        if let x = Text.number(parts["x"]), let y = Text.number(parts["y"]) { return Colour(x: x, y: y)?.json }
        return Colour(rgb: [parts["r"], parts["g"], parts["b"]].compactMap { Text.number($0) })?.json
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, in state: EntityState) -> [Telegram]? {
        guard let target, verbs.contains(verb) else { return nil }
        var message: [String: JSONValue] = ["state": verb == .off ? "OFF" : "ON"]
        if let transition, transition.isFinite, transition >= 0 { message["transition"] = .number(transition) }
        switch verb {
        case .setBrightness:
            guard let percent = value?.number else { return nil }
            if percent <= 0 {
                message["state"] = "OFF"
            } else {
                message["brightness"] = .number(max(1, Text.round(Scale(closed: 0, open: brightnessScale).value(percent))))
            }
        case .setColor:
            guard let members = colourMembers(value) else { return nil }
            message.merge(members) { _, new in new }
        default: break
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(JSONValue.object(message)) else { return nil }
        return [Telegram(topic: target.topic, payload: String(decoding: data, as: UTF8.self))]
    }

    private func colourMembers(_ value: JSONValue?) -> [String: JSONValue]? {
        if let kelvin = value?["temperature"]?.number {
            guard modes.contains("color_temp"), let number = Colour.deviceTemperature(kelvin, isKelvin: isKelvin) else { return nil }
            return ["color_temp": .number(number)]
        }
        guard let hue = value?["hue"]?.number, let saturation = value?["saturation"]?.number else { return nil }
        let colour = Colour(hue: hue, saturation: saturation)
        if modes.contains("hs") {
            return ["color": ["h": .number(Text.round(hue, 3)), "s": .number(Text.round(saturation, 3))]]
        }
        if modes.contains("xy") {
            let (x, y) = colour.xy
            return ["color": ["x": .number(Text.round(x, 4)), "y": .number(Text.round(y, 4))]]
        }
        // A lamp with white light of its own is told to leave it dark.
        let whites = modes.contains("rgb") ? [] : modes.contains("rgbw") ? ["w"] : modes.contains("rgbww") ? ["c", "w"] : nil
        guard let whites else { return nil }
        var parts = Dictionary(
            zip(["r", "g", "b"], colour.rgb.map { JSONValue.number(Text.round($0)) }), uniquingKeysWith: { first, _ in first })
        for white in whites { parts[white] = 0 }
        return ["color": .object(parts)]
    }

    func reports(_ verb: Verb) -> Bool { !readings.isEmpty }
}
