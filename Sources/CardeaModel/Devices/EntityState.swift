/// What an entity last said of itself.
public struct EntityState: Hashable, Sendable {
    /// The word or number: `locked`, `on`, `21.4`; `unknown` before the first report.
    public var value: String
    /// The rest: `brightness`, `position`, `target_temperature`.
    public var attributes: [String: JSONValue]

    /// The house's own words for how things stand, and for whether somebody is home. What a sensor says may be any other.
    public static let knownValues: Set<String> = Verb.modes.union([
        "unknown", "unavailable", "locked", "unlocked", "locking", "unlocking", "jammed", "open", "closed", "opening", "closing", "stopped",
        "on", "off", "pressed", "playing", "paused", "idle", "buffering", "standby", "heating", "cooling", "drying", "home", "away",
        "not_home", "disarmed", "arming", "disarming", "pending", "triggered",
    ]).union(Verb.armModes.map { "armed_\($0)" })

    /// The attribute in which a thermostat says what it can be set to.
    public static let modes = "hvac_modes"
    /// The attributes in which a device says which presets, effects and ways of arming it has.
    public static let presets = "preset_modes", effects = "effect_list", armings = "supported_modes"
    /// The attribute in which a light says how its colour can be set: `hs`, `color_temp`, `white`.
    public static let colorModes = "supported_color_modes"
    /// The attributes that say what an entity is and can do. All others say how it stands.
    public static let describing: Set<String> = [
        colorModes, warmestWhite, coldestWhite, modes, effects, presets, armings, "min_temp", "max_temp", "target_temp_step", "event_types",
        "state_class", "suggested_display_precision", "options", "code_required", "code_format",
    ]

    /// The attribute in which a player that is off says that it waits, and the word for it (Seed 004, item 25).
    public static let standby = "standby"

    /// Nobody knows how it stands.
    public var isUnknown: Bool { value == "unknown" || value == "unavailable" }

    /// Nothing in it says how the entity stands.
    public var saysNothing: Bool { isUnknown && attributes.keys.allSatisfy(Self.describing.contains) }

    /// The same entity while nobody knows how it stands: only what describes it.
    public var forgotten: EntityState { EntityState(attributes: attributes.filter { Self.describing.contains($0.key) }) }

    /// Whether it is off and waits to be used: for all that is asked of it and thought about it, that is off.
    public var isStandby: Bool { value == "off" && attributes[Self.standby] == true }

    public init(_ value: String = "unknown", attributes: [String: JSONValue] = [:]) {
        self.value = value
        self.attributes = attributes
    }
}
