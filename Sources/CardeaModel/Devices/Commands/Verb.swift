/// An action of an entity. Verbs are absolute: submitted twice, they mean the same. There is no `toggle`; its meaning depends on a state
/// that no code may assume.
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
    case setPreset = "set_preset"
    case setEffect = "set_effect"
    case setDirection = "set_direction"
    case oscillate, arm, disarm, trigger

    /// The modes of a thermostat, in Home Assistant's words.
    public static let modes: Set<String> = ["off", "heat", "cool", "heat_cool", "auto", "dry", "fan_only"]
    /// The ways of arming an alarm, in Home Assistant's words.
    public static let armModes: Set<String> = ["home", "away", "night", "vacation", "custom_bypass"]
    /// The ways in which a fan turns.
    public static let directions: Set<String> = ["forward", "reverse"]
    /// Degrees Celsius that a thermostat may be set to.
    public static let temperatures = -30.0...100
    /// Degrees of a colour's hue, percent of its saturation, and Kelvin of white light.
    public static let hue = 0.0...360, saturation = 0.0...100, warmth = 1000.0...12000

    /// Reads `set_brightness` and `setBrightness` alike.
    public init?(named name: String) {
        self.init(rawValue: SnakeCase.convert(name))
    }

    /// The verb of a submitted command, by its plain or its dotted name; nil for `read`, which is no command.
    public init?(requested name: String) {
        guard let verb = ActionName(name)?.verb ?? Verb(named: name), verb != .read else { return nil }
        self = verb
    }

    /// The rule for the verb's `value`.
    public var value: ValueRule {
        switch self {
        case .setPosition, .setTilt, .setBrightness, .setPercentage, .setVolume: .number(0...100)
        case .setTemperature: .temperature
        case .setColor: .color
        case .setMode: .word(Self.modes)
        case .arm: .word(Self.armModes)
        case .setDirection: .word(Self.directions)
        case .oscillate: .flag
        case .setPreset, .setEffect: .text
        case .lock, .unlock, .open, .close, .stop, .on, .off, .press, .play, .pause, .read, .disarm, .trigger: .none
        }
    }

    public enum ValueRule: Hashable, Sendable {
        case none
        case number(ClosedRange<Double>)
        /// °C, or `low` and `high` of a range.
        case temperature
        case color
        /// One of these.
        case word(Set<String>)
        /// A name that the device gave, 1 to 64 characters.
        case text
        case flag
    }
}

extension Verb.ValueRule {
    /// The bounds of a plain number; nil if the value is none.
    public var range: ClosedRange<Double>? {
        switch self {
        case .number(let range): range
        case .temperature: Verb.temperatures
        default: nil
        }
    }

    /// The value as the house keeps it, or nil when it does not fit.
    public func normalized(_ value: JSONValue?) -> JSONValue?? {
        switch self {
        case .none: value == nil || value == .null ? .some(nil) : nil
        case .number(let range): Self.number(value, in: range).map(Optional.some)
        case .temperature: Self.temperature(value).map(Optional.some)
        case .color: Self.color(value).map(Optional.some)
        case .word(let words): value?.string.map(words.contains) == true ? .some(value) : nil
        case .text: value?.string.map { (1...64).contains($0.count) } == true ? .some(value) : nil
        case .flag: value?.bool == nil ? nil : .some(value)
        }
    }

    /// In tenths.
    private static func number(_ value: JSONValue?, in range: ClosedRange<Double>) -> JSONValue? {
        guard let number = value?.number, range.contains(number) else { return nil }
        return .number((number * 10).rounded() / 10)
    }

    private static func temperature(_ value: JSONValue?) -> JSONValue? {
        guard case .object(let bounds)? = value else { return number(value, in: Verb.temperatures) }
        guard bounds.count == 2, let low = number(bounds["low"], in: Verb.temperatures),
            let high = number(bounds["high"], in: Verb.temperatures),
            let lowest = low.number, let highest = high.number, lowest <= highest
        else { return nil }
        return ["low": low, "high": high]
    }

    private static func color(_ value: JSONValue?) -> JSONValue? {
        guard case .object(let parts)? = value else { return nil }
        let bounds: [String: ClosedRange<Double>]
        switch Set(parts.keys) {
        case ["hue", "saturation"]: bounds = ["hue": Verb.hue, "saturation": Verb.saturation]
        case ["temperature"]: bounds = ["temperature": Verb.warmth]
        case ["white"]: bounds = ["white": 0...100]
        default: return nil
        }
        let fits = bounds.allSatisfy { name, range in parts[name]?.number.map(range.contains) == true }
        return fits ? value : nil
    }
}
