/// The answer of a report to a dispatched command. A report from before the dispatch does not count.
public enum CommandConfirmation: Hashable, Sendable {
    case confirmed
    case failed(reason: String)
    /// A cover moves towards its target and has not arrived.
    case moving
    /// No answer yet, or a report of something else.
    case pending

    /// Reads `state`, reported after the command was dispatched, as the answer to `verb`.
    ///
    /// - Parameter before: the state reported before; many a cover shows only by its position that it moves.
    public static func evaluate(
        _ verb: Verb, value: JSONValue?, kind: EntityKind, state: EntityState, before: EntityState = EntityState()
    ) -> CommandConfirmation {
        switch (kind, verb) {
        case (.lock, .unlock): lock(state, reached: ["unlocked", "open"])
        case (.lock, .open): lock(state, reached: ["open", "unlocked"])
        case (.lock, .lock): lock(state, reached: ["locked"])
        case (.cover, .open), (.valve, .open): state.value == "open" ? .confirmed : movement(to: 100, state, before)
        case (.cover, .close), (.valve, .close): state.value == "closed" ? .confirmed : movement(to: 0, state, before)
        case (.cover, .stop), (.valve, .stop): ["opening", "closing"].contains(state.value) ? .pending : .confirmed
        case (.cover, .setPosition), (.valve, .setPosition):
            switch isNear(value, state.attributes["position"], within: 3) {
            case .pending: value?.number.map { movement(to: $0, state, before) } ?? .pending
            case let there: there
            }
        case (.cover, .setTilt): isNear(value, state.attributes["tilt"], within: 3)
        case (.climate, .on): state.value != "off" && state.value != "unknown" ? .confirmed : .pending
        case (.climate, .setMode): value?.string == state.value ? .confirmed : .pending
        case (.climate, .setTemperature): temperature(value, state)
        case (.media, .play): state.attributes["playback"] == "playing" ? .confirmed : .pending
        // A media stick without content is idle, and idle means not playing.
        case (.media, .pause): ["paused", "idle"].contains(state.attributes["playback"]) ? .confirmed : .pending
        case (.media, .setVolume): isNear(value, state.attributes["volume"], within: 1)
        case (.alarm, .arm): value?.string.map { state.value == "armed_\($0)" } == true ? .confirmed : .pending
        case (.alarm, .disarm): state.value == "disarmed" ? .confirmed : .pending
        case (.alarm, .trigger): state.value == "triggered" ? .confirmed : .pending
        // Reported by the publisher after the device has answered.
        case (.button, .press): state.value == "pressed" ? .confirmed : .pending
        case (_, .on): state.value == "on" ? .confirmed : .pending
        case (_, .off): state.value == "off" ? .confirmed : .pending
        // A lamp at brightness 0 is off, and reports so.
        case (_, .setBrightness) where value?.number == 0 && state.value == "off": .confirmed
        case (_, .setPercentage) where value?.number == 0 && state.value == "off": .confirmed
        case (_, .setBrightness): isNear(value, state.attributes["brightness"], within: 1)
        case (_, .setPercentage): isNear(value, state.attributes["percentage"], within: 1)
        case (_, .setColor): color(value, state.attributes["color"])
        case (_, .setPreset): value == state.attributes["preset_mode"] ? .confirmed : .pending
        case (_, .setEffect): value == state.attributes["effect"] ? .confirmed : .pending
        case (_, .setDirection): value == state.attributes["direction"] ? .confirmed : .pending
        case (_, .oscillate): value == state.attributes["oscillating"] ? .confirmed : .pending
        default: .pending
        }
    }

    private static func lock(_ state: EntityState, reached: Set<String>) -> CommandConfirmation {
        if reached.contains(state.value) { return .confirmed }
        return state.value == "jammed" ? .failed(reason: "jammed") : .pending
    }

    /// Returns `.moving` if a cover moves towards `goal`, by its state or by a position that comes nearer; otherwise `.pending`.
    private static func movement(to goal: Double, _ state: EntityState, _ before: EntityState) -> CommandConfirmation {
        let position = state.attributes["position"]?.number
        let sets: Bool
        switch state.value {
        case "opening": sets = goal > position ?? 0
        case "closing": sets = goal < position ?? 100
        default:
            guard let position, let earlier = before.attributes["position"]?.number else { return .pending }
            sets = abs(goal - position) < abs(goal - earlier)
        }
        return sets ? .moving : .pending
    }

    /// One target, or both ends of a range.
    private static func temperature(_ requested: JSONValue?, _ state: EntityState) -> CommandConfirmation {
        guard case .object(let bounds)? = requested else { return isNear(requested, state.attributes["target_temperature"], within: 0.3) }
        let ends = [("low", "target_temperature_low"), ("high", "target_temperature_high")]
        return ends.allSatisfy { isNear(bounds[$0.0], state.attributes[$0.1], within: 0.3) == .confirmed } ? .confirmed : .pending
    }

    private static func isNear(_ requested: JSONValue?, _ reported: JSONValue?, within tolerance: Double) -> CommandConfirmation {
        guard let requested = requested?.number, let reported = reported?.number else { return .pending }
        return abs(requested - reported) <= tolerance ? .confirmed : .pending
    }

    private static func color(_ requested: JSONValue?, _ reported: JSONValue?) -> CommandConfirmation {
        guard case .object(let requested)? = requested, case .object(let reported)? = reported else { return .pending }
        // Lamps round: a few degrees of hue, some kelvins of colour temperature.
        let tolerance = ["hue": 4.0, "saturation": 3.0, "temperature": 150.0, "white": 2.0]
        let reached = requested.allSatisfy { name, value in
            guard let one = value.number, let other = reported[name]?.number, let tolerance = tolerance[name] else { return false }
            return abs(one - other) <= tolerance
        }
        return reached ? .confirmed : .pending
    }
}
