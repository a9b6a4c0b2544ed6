import CardeaModel

/// The colour modes of a lamp, in Home Assistant's words.
enum ColourMode: String, Hashable, Sendable, CaseIterable {
    case onoff, brightness, hs, xy, rgb, rgbw, rgbww, white
    case temperature = "color_temp"

    /// Modes of any hue.
    static let hues: Set<ColourMode> = [.hs, .xy, .rgb, .rgbw, .rgbww]

    /// The modes that the house knows, as an attribute; nil for a lamp without colour.
    static func attribute(_ modes: Set<ColourMode>) -> JSONValue? {
        let words = (modes.isDisjoint(with: hues) ? [] : ["hs"]) + (modes.contains(.temperature) ? ["color_temp"] : [])
        let all = words + (modes.contains(.white) ? ["white"] : [])
        return StaticAttributes.list(all)
    }
}
