import CardeaModel

/// A colour in the form in which a lamp reports and accepts it.
enum LightColour: Hashable, Sendable {
    case hs(Colour)
    case xy(x: Double, y: Double)
    /// Three to five channels, 0 to 255: red, green, blue, then white, or cold and warm white.
    case channels(ColourMode, RGB, whites: [Double])
    /// Whole kelvin.
    case temperature(Double)

    /// A requested colour in a form that a lamp of `modes` accepts; nil if it accepts none.
    ///
    /// - Parameter brightness: 0 to 255, for white light made of two whites.
    init?(_ value: JSONValue?, for modes: Set<ColourMode>, whites: ColourTemperatureRange, brightness: Double?) {
        if let kelvin = value?["temperature"]?.number {
            guard kelvin >= 1, kelvin < 1e9 else { return nil }
            self.init(kelvin: kelvin.rounded(.towardZero), for: modes, whites: whites, brightness: brightness)
        } else if let hue = value?["hue"]?.number, let saturation = value?["saturation"]?.number, Verb.hue.contains(hue),
            Verb.saturation.contains(saturation)
        {
            self.init(Colour(hue: hue, saturation: saturation), for: modes, whites: whites)
        } else {
            return nil
        }
    }

    private init?(kelvin: Double, for modes: Set<ColourMode>, whites: ColourTemperatureRange, brightness: Double?) {
        if modes.contains(.temperature) {
            self = .temperature(kelvin)
        } else if modes.contains(.rgbww) {
            guard let (cold, warm) = whites.levels(kelvin: kelvin, brightness: brightness ?? 255) else { return nil }
            self = .channels(.rgbww, RGB(red: 0, green: 0, blue: 0), whites: [cold, warm])
        } else {
            guard let colour = Colour(kelvin: kelvin) else { return nil }
            self.init(colour, for: modes, whites: whites)
        }
    }

    private init?(_ colour: Colour, for modes: Set<ColourMode>, whites: ColourTemperatureRange) {
        if modes.contains(.hs) {
            self = .hs(colour)
        } else if modes.contains(.rgb) {
            self = .channels(.rgb, colour.rgb(), whites: [])
        } else if modes.contains(.rgbw) {
            self = Self.withWhite(colour.rgb())
        } else if modes.contains(.rgbww) {
            self = Self.withWhites(colour.rgb(), whites)
        } else if modes.contains(.xy) {
            let (x, y) = colour.xy
            self = .xy(x: x, y: y)
        } else if modes.contains(.temperature) {
            let kelvin = colour.nearestWhite
            guard kelvin >= 1, kelvin < 1e9 else { return nil }
            self = .temperature(kelvin)
        } else {
            return nil
        }
    }

    /// The grey part of a colour is the white channel's.
    private static func withWhite(_ rgb: RGB) -> LightColour {
        let white = rgb.lowest
        let rest = rgb.map { $0 - white }
        let factor = factor(from: rgb.highest, to: max(rest.highest, white))
        return .channels(.rgbw, rest.map { PythonNumber.round($0 * factor) }, whites: [PythonNumber.round(white * factor)])
    }

    /// As much of the colour as both whites together can make is theirs.
    private static func withWhites(_ rgb: RGB, _ whites: ColourTemperatureRange) -> LightColour {
        let white = Colour.white(kelvin: whites.kelvin(at: 0.5))
        func share(_ part: Double, _ whole: Double) -> Double { whole == 0 ? 0 : part / whole }
        let level = min(share(rgb.red, white.red), share(rgb.green, white.green), share(rgb.blue, white.blue))
        let rest = RGB(red: rgb.red - white.red * level, green: rgb.green - white.green * level, blue: rgb.blue - white.blue * level)
        let both = PythonNumber.round(level * 255)
        let factor = factor(from: rgb.highest, to: max(rest.highest, both))
        let told = PythonNumber.round(both * factor)
        return .channels(.rgbww, rest.map { PythonNumber.round($0 * factor) }, whites: [told, told])
    }

    private static func factor(from highest: Double, to other: Double) -> Double { other == 0 ? 0 : highest / other }

    /// The colour of all channels together, in whole numbers.
    static func rgb(of rgb: RGB, whites levels: [Double], _ whites: ColourTemperatureRange) -> RGB {
        guard let first = levels.first, let last = levels.last else { return rgb }
        let highest = max(rgb.highest, first, last)
        let mixed: RGB
        if levels.count == 1 {
            mixed = rgb.map { $0 + first }
        } else {
            let white = Colour.white(kelvin: whites.kelvin(at: first + last == 0 ? 0.5 : last / (first + last)))
            let level = max(first, last) / 255
            mixed = RGB(red: rgb.red + white.red * level, green: rgb.green + white.green * level, blue: rgb.blue + white.blue * level)
        }
        let factor = factor(from: highest, to: mixed.highest)
        return mixed.map { PythonNumber.round($0 * factor) }
    }

    /// In the house's format; nil for an invalid colour.
    func json(_ whites: ColourTemperatureRange) -> JSONValue? {
        switch self {
        case .hs(let colour): colour.json
        case .xy(let x, let y): Colour(x: x, y: y)?.json
        case .channels(_, let rgb, let levels): Colour(Self.rgb(of: rgb, whites: levels, whites))?.json
        case .temperature(let kelvin): ["temperature": .number(kelvin)]
        }
    }

    /// The channels in their order; none for a colour in another form.
    var parts: [Double] {
        if case .channels(_, let rgb, let whites) = self { [rgb.red, rgb.green, rgb.blue] + whites } else { [] }
    }

    /// From the channels of `mode` in their order; nil if there are too many or too few.
    init?(_ mode: ColourMode, _ parts: [Double]) {
        let counts: [ColourMode: Int] = [.rgb: 3, .rgbw: 4, .rgbww: 5]
        guard let count = counts[mode], parts.count == count, parts.allSatisfy({ $0.magnitude < 1e6 }) else { return nil }
        self = .channels(mode, RGB(red: parts[0], green: parts[1], blue: parts[2]), whites: Array(parts.dropFirst(3)))
    }
}
