import CardeaModel

/// How one kind of entity is translated: what it says, and what it is told. Pure; no wire in sight.
protocol Wiring: Sendable {
    /// - Parameter said: what the entity last said while it was there.
    init(_ said: Said, isFahrenheit: Bool)
    /// What it can do, by its features.
    var verbs: Set<Verb> { get }
    /// How it stands, in the house's own words and units.
    var state: EntityState { get }
    /// What to ask for `verb`, or nil when that cannot be said to this entity.
    func call(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall?
    /// The unit the house uses, which may not be the entity's.
    var unit: String? { get }
    /// A plain sentence when something cannot be served.
    var notice: String? { get }
}

extension Wiring {
    var unit: String? { nil }
    var notice: String? { nil }
}

extension EntityKind {
    /// How it is wired to Home Assistant.
    func wiring(_ said: Said, isFahrenheit: Bool) -> any Wiring {
        let type: any Wiring.Type =
            switch self {
            case .lock: LockWiring.self
            case .cover: CoverWiring.self
            case .light: LightWiring.self
            case .switch: SwitchWiring.self
            case .climate: ClimateWiring.self
            case .fan: FanWiring.self
            case .media: MediaWiring.self
            case .sensor: SensorWiring.self
            case .binarySensor: BinarySensorWiring.self
            case .button: ButtonWiring.self
            // Not mirrored from there: no state of theirs is read.
            case .event, .valve, .alarm, .image: SensorWiring.self
            }
        return type.init(said, isFahrenheit: isFahrenheit)
    }
}
