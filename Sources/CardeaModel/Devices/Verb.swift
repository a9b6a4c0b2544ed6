/// What can be asked of an entity. Verbs are absolute: asked twice, they mean the same.
/// There is no `toggle`; what a toggle means depends on a state nobody may assume.
public enum Verb: String, Codable, Hashable, Sendable, CaseIterable {
    case lock, unlock, open, close, stop, on, off, press, play, pause, read
    case setPosition = "set_position"
    case setTilt = "set_tilt"
    case setBrightness = "set_brightness"
    case setColor = "set_color"
    case setTemperature = "set_temperature"
    case setPercentage = "set_percentage"
    case setVolume = "set_volume"
    case setMode = "set_mode"

    /// What a thermostat may be set to, in Home Assistant's words.
    public static let modes: Set<String> = ["off", "heat", "cool", "heat_cool", "auto", "dry", "fan_only"]
    /// Degrees of a colour's hue, percent of its saturation, and Kelvin of white light.
    public static let hue = 0.0...360, saturation = 0.0...100, warmth = 1000.0...12000

    /// Reads `set_brightness` and `setBrightness` alike.
    public init?(named name: String) {
        self.init(rawValue: SnakeCase.convert(name))
    }

    /// What somebody asks to be done, by its plain or its dotted name. Looking is not doing.
    public init?(asked name: String) {
        guard let verb = ActionName(name)?.verb ?? Verb(named: name), verb != .read else { return nil }
        self = verb
    }

    /// What `value` must be for this verb.
    public var value: ValueRule {
        switch self {
        case .setPosition, .setTilt, .setBrightness, .setPercentage, .setVolume: .number(0...100)
        case .setTemperature: .number(-30...100)
        case .setColor: .color
        case .setMode: .mode
        default: .none
        }
    }

    public enum ValueRule: Hashable, Sendable {
        case none
        case number(ClosedRange<Double>)
        case color
        case mode
    }
}

extension Verb.ValueRule {
    /// The value as the house keeps it, or nil when it does not fit.
    public func accept(_ value: JSONValue?) -> JSONValue?? {
        switch self {
        case .none:
            return value == nil || value == .null ? .some(nil) : nil
        case .number(let range):
            guard case .number(let number)? = value, range.contains(number) else { return nil }
            return .some(.number((number * 10).rounded() / 10))
        case .color:
            guard case .object(let parts)? = value else { return nil }
            let hue = parts["hue"]?.number
            let saturation = parts["saturation"]?.number
            let temperature = parts["temperature"]?.number
            if let hue, let saturation, temperature == nil, parts.count == 2,
                Verb.hue.contains(hue), Verb.saturation.contains(saturation)
            {
                return .some(value)
            }
            if let temperature, parts.count == 1, Verb.warmth.contains(temperature) { return .some(value) }
            return nil
        case .mode:
            guard let mode = value?.string, Verb.modes.contains(mode) else { return nil }
            return .some(value)
        }
    }
}
