/// The last reported state of an entity.
public struct EntityState: Hashable, Sendable {
    /// The word or number: `locked`, `on`, `21.4`; `unknown` before the first report.
    public var value: String
    /// The rest: `brightness`, `position`, `target_temperature`.
    public var attributes: [String: JSONValue]

    /// The words that the hub itself uses for states and presence. A sensor may report any other.
    public static let knownValues: Set<String> = Verb.modes.union([
        "unknown", "unavailable", "locked", "unlocked", "locking", "unlocking", "jammed", "open", "closed", "opening", "closing", "stopped",
        "on", "off", "pressed", "playing", "paused", "idle", "buffering", "standby", "heating", "cooling", "drying", "home", "away",
        "not_home", "disarmed", "arming", "disarming", "pending", "triggered",
    ]).union(Verb.armModes.map { "armed_\($0)" })

    /// The attribute with the modes of a thermostat.
    public static let modes = "hvac_modes"
    /// The attributes in which a device says which presets, effects and ways of arming it has.
    public static let presets = "preset_modes", effects = "effect_list", armings = "supported_modes"
    /// The attribute in which a light says how its colour can be set: `hs`, `color_temp`, `white`.
    public static let colorModes = "supported_color_modes"
    /// The attributes that describe an entity and its abilities. All others are part of its state.
    public static let describing: Set<String> = [
        colorModes, warmestWhite, coldestWhite, modes, effects, presets, armings, "min_temp", "max_temp", "target_temp_step", "event_types",
        "state_class", "suggested_display_precision", "options", "code_required", "code_format",
    ]

    /// The attribute in which a player that is off says that it waits, and the word for it (Seed 004, item 25).
    public static let standby = "standby"

    /// True if the state is unknown.
    public var isUnknown: Bool { value == "unknown" || value == "unavailable" }

    /// True if it contains nothing about the entity's state.
    public var saysNothing: Bool { isUnknown && attributes.keys.allSatisfy(Self.describing.contains) }

    /// The same entity with an unknown state: only the describing attributes.
    public var forgotten: EntityState { EntityState(attributes: attributes.filter { Self.describing.contains($0.key) }) }

    /// True if it is off and in standby. Commands and the mind treat that as off.
    public var isStandby: Bool { value == "off" && attributes[Self.standby] == true }

    public init(_ value: String = "unknown", attributes: [String: JSONValue] = [:]) {
        self.value = value
        self.attributes = attributes
    }
}
