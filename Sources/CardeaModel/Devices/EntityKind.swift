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
        case .climate: [.on, .off, .setTemperature]
        case .button: [.press]
        case .media: [.on, .off]
        case .sensor, .binarySensor: []
        }
    }
}

/// Seed 004's classes of devices.
public enum DeviceClass: String, Codable, Hashable, Sendable, CaseIterable {
    case light, sensor, climate, security, entertainment, appliance, hub, other
}

/// Whether a device can be reached now.
public enum DeviceStatus: String, Codable, Hashable, Sendable, CaseIterable {
    case online, offline, unknown, error
}

/// How a device is reached.
public enum ConnectionMethod: String, Codable, Hashable, Sendable, CaseIterable {
    case wifi, zigbee, zwave, bluetooth, cloud, local
}
