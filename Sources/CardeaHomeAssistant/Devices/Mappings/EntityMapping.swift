import CardeaModel

/// Translates one kind of entity: its states and its commands. A pure value without I/O.
protocol EntityMapping: Sendable {
    /// - Parameter report: the entity's last report while it was available.
    init(_ report: StateReport, isFahrenheit: Bool)
    /// The verbs that the entity supports, by its features.
    var verbs: Set<Verb> { get }
    /// The state in the house's own words and units.
    var state: EntityState { get }
    /// Returns the service call for `verb`; nil if the entity does not support it.
    func serviceCall(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall?
    /// The unit the house uses, which may not be the entity's.
    var unit: String? { get }
    /// A plain sentence when something cannot be served.
    var notice: String? { get }
}

extension EntityMapping {
    var unit: String? { nil }
    var notice: String? { nil }
}

extension EntityKind {
    /// Its mapping to Home Assistant.
    func mapping(_ report: StateReport, isFahrenheit: Bool) -> any EntityMapping {
        let type: any EntityMapping.Type =
            switch self {
            case .lock: LockMapping.self
            case .cover: CoverMapping.self
            case .light: LightMapping.self
            case .switch: SwitchMapping.self
            case .climate: ClimateMapping.self
            case .fan: FanMapping.self
            case .media: MediaPlayerMapping.self
            case .sensor: SensorMapping.self
            case .binarySensor: BinarySensorMapping.self
            case .button: ButtonMapping.self
            // These kinds are not mirrored from Home Assistant: their state is not read.
            case .event, .valve, .alarm, .image: SensorMapping.self
            }
        return type.init(report, isFahrenheit: isFahrenheit)
    }
}
