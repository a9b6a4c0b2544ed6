import CardeaModel

/// The states of a light of the default schema.
extension LightMapping {
    var stateTopics: [StateTopic] {
        [
            power.stateTopic, brightness.stateTopic, temperature.stateTopic, hueSaturation.stateTopic, xy.stateTopic, colourMode,
            effect.stateTopic,
            channels[.rgb]?.stateTopic, channels[.rgbw]?.stateTopic, channels[.rgbww]?.stateTopic,
        ].compactMap(\.self)
    }

    /// Attributes in which a colour is kept that the light names without saying that it shines in it.
    private static let hsAttribute = "hs_color", xyAttribute = "xy_color", kelvinAttribute = "color_temp_kelvin"
    private static let modeAttribute = "color_mode"

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        var next = state
        var isAboutUs = false
        if let word = power.word(in: message) {
            isAboutUs = true
            next.value = word
        }
        if let value = number(brightness.stateTopic, in: message), value != 0 {
            isAboutUs = true
            next.attributes["brightness"] = BrightnessScale.percent(value, scale: brightnessScale)
        }
        for (mode, colour) in colours(in: message) {
            isAboutUs = true
            store(colour, as: mode, in: &next)
        }
        if let word = text(colourMode, in: message), let mode = ColourMode(rawValue: word) {
            isAboutUs = true
            next.attributes[Self.modeAttribute] = .string(mode.rawValue)
        }
        if let name = text(effect.stateTopic, in: message), effect.commandTopic != nil {
            isAboutUs = true
            next.attributes["effect"] = .string(String(name.prefix(64)))
        }
        guard isAboutUs else { return nil }
        if colourMode != nil { chooseColour(in: &next) }
        staticAttributes.apply(to: &next.attributes)
        return next
    }

    private func text(_ reading: StateTopic?, in message: IncomingMessage) -> String? {
        reading?.strictText(in: message).flatMap { $0.isEmpty ? nil : $0 }
    }

    private func number(_ reading: StateTopic?, in message: IncomingMessage) -> Double? {
        text(reading, in: message).flatMap(PythonNumber.finite)
    }

    private func numbers(_ reading: StateTopic?, in message: IncomingMessage) -> [Double]? {
        guard let parts = text(reading, in: message)?.split(separator: ",", omittingEmptySubsequences: false) else { return nil }
        let numbers = parts.compactMap { PythonNumber.finite(String($0)) }
        return numbers.count == parts.count ? numbers : nil
    }

    /// The colours in one message, in the order in which Home Assistant reads them.
    private func colours(in message: IncomingMessage) -> [(ColourMode, LightColour)] {
        var colours: [(ColourMode, LightColour)] = []
        for mode in [ColourMode.rgb, .rgbw, .rgbww] {
            guard let texts = text(channels[mode]?.stateTopic, in: message)?.split(separator: ",", omittingEmptySubsequences: false) else {
                continue
            }
            let parts = texts.compactMap { PythonNumber.integer(String($0)) }.map(Double.init)
            if parts.count == texts.count, let colour = LightColour(mode, parts) { colours.append((mode, colour)) }
        }
        if let whole = text(temperature.stateTopic, in: message).flatMap(PythonNumber.integer), whole > 0 {
            let number = Double(whole)
            if let kelvin = isKelvin ? number : Colour.reciprocal(number) { colours.append((.temperature, .temperature(kelvin))) }
        }
        if let pair = numbers(hueSaturation.stateTopic, in: message), pair.count == 2, let hue = pair.first, let saturation = pair.last {
            colours.append((.hs, .hs(Colour(hue: hue, saturation: saturation))))
        }
        if let pair = numbers(xy.stateTopic, in: message), pair.count == 2, let x = pair.first, let y = pair.last {
            colours.append((.xy, .xy(x: x, y: y)))
        }
        return colours
    }

    /// Keeps a colour. Where the light does not say in which mode it shines, the last colour is its colour.
    private func store(_ colour: LightColour, as mode: ColourMode, in state: inout EntityState) {
        var colour = colour
        if case .channels(_, let rgb, let levels) = colour {
            if brightness.stateTopic == nil {
                // Its channels contain the brightness too.
                let highest = LightColour.rgb(of: rgb, whites: levels, whiteRange).highest
                guard highest > 0 else { return }
                state.attributes["brightness"] = BrightnessScale.percent(highest, scale: 255)
                let full = colour.parts.map { min(PythonNumber.round($0 / highest * 255), 255) }
                colour = LightColour(mode, full) ?? colour
            }
            // Of a light with one mode, hue and saturation say as much.
            if mode != .rgb || colourMode != nil || modes.count > 1 {
                state.attributes["\(mode.rawValue)_color"] = .array(colour.parts.map(JSONValue.number))
            }
        }
        if colourMode == nil {
            if let json = colour.json(whiteRange) { state.attributes["color"] = json }
            return
        }
        switch colour {
        case .hs(let colour): state.attributes[Self.hsAttribute] = [.number(colour.hue), .number(colour.saturation)]
        case .xy(let x, let y): state.attributes[Self.xyAttribute] = [.number(x), .number(y)]
        case .temperature(let kelvin): state.attributes[Self.kelvinAttribute] = .number(kelvin)
        case .channels: break
        }
    }

    /// Returns the channels of a mode in the light's last report; nil if there are none.
    func lastColour(_ mode: ColourMode, in state: EntityState) -> LightColour? {
        if let parts = Self.numbers(state.attributes["\(mode.rawValue)_color"]), let colour = LightColour(mode, parts) { return colour }
        guard mode == .rgb, let colour = state.attributes["color"], let hue = colour["hue"]?.number,
            let saturation = colour["saturation"]?.number
        else { return nil }
        return .channels(.rgb, Colour(hue: hue, saturation: saturation).rgb(), whites: [])
    }

    private static func numbers(_ value: JSONValue?) -> [Double]? {
        guard case .array(let parts)? = value else { return nil }
        return parts.compactMap(\.number)
    }

    private static func pair(_ value: JSONValue?) -> (Double, Double)? {
        guard let parts = numbers(value), parts.count == 2, let first = parts.first, let last = parts.last else { return nil }
        return (first, last)
    }

    /// Uses the colour of the light's reported mode.
    private func chooseColour(in state: inout EntityState) {
        guard let mode = state.attributes[Self.modeAttribute]?.string.flatMap(ColourMode.init(rawValue:)) else { return }
        let colour: JSONValue?
        switch mode {
        case .onoff, .brightness: return
        case .white: colour = ["white": state.attributes["brightness"] ?? 100]
        case .temperature: colour = state.attributes[Self.kelvinAttribute].map { ["temperature": $0] }
        case .hs:
            colour = Self.pair(state.attributes[Self.hsAttribute]).map { Colour(hue: $0, saturation: $1).json }
        case .xy:
            colour = Self.pair(state.attributes[Self.xyAttribute]).flatMap { Colour(x: $0, y: $1)?.json }
        case .rgb, .rgbw, .rgbww: colour = lastColour(mode, in: state)?.json(whiteRange)
        }
        if let colour { state.attributes["color"] = colour }
    }
}
