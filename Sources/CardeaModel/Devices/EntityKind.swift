/// What an entity is (Seed 004, item 24, and Home Assistant's button).
public enum EntityKind: String, Codable, Hashable, Sendable, CaseIterable {
    case sensor
    case binarySensor = "binary_sensor"
    case light
    case `switch`
    case climate
    case cover
    case fan
    case lock
    case media
    case button

    /// The verbs that mean something on such an entity, besides `read`.
    public var verbs: Set<Verb> {
        switch self {
        case .lock: [.lock, .unlock, .open]
        case .cover: [.open, .close, .stop, .setPosition, .setTilt]
        case .light: [.on, .off, .setBrightness, .setColor]
        case .switch: [.on, .off]
        case .fan: [.on, .off, .setPercentage]
        case .climate: [.on, .off, .setTemperature, .setMode]
        case .button: [.press]
        case .media: [.on, .off, .play, .pause, .setVolume]
        case .sensor, .binarySensor: []
        }
    }
}

/// Seed 004's classes of devices.
public enum DeviceClass: String, Codable, Hashable, Sendable, CaseIterable {
    case light, sensor, climate, security, entertainment, appliance, hub, other

    /// What a device is, by the weightiest thing it does.
    public init(of entities: [Entity]) {
        let kinds = Set(entities.map(\.kind))
        self =
            if entities.contains(where: { $0.kind == .lock || ($0.kind == .cover && $0.isWayIn) }) {
                .security
            } else if !kinds.isDisjoint(with: [.climate, .fan]) {
                .climate
            } else if kinds.contains(.light) {
                .light
            } else if kinds.contains(.media) {
                .entertainment
            } else if !kinds.isDisjoint(with: [.switch, .cover, .button]) {
                .appliance
            } else {
                kinds.isEmpty ? .other : .sensor
            }
    }
}

/// Whether a device can be reached now.
public enum DeviceStatus: String, Codable, Hashable, Sendable, CaseIterable {
    case online, offline, unknown, error
}

/// How a device is reached.
public enum ConnectionMethod: String, Codable, Hashable, Sendable, CaseIterable {
    case wifi, zigbee, zwave, bluetooth, cloud, local
}
