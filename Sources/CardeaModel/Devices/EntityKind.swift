/// The kind of an entity (Seed 004, item 24, and Home Assistant's button).
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
    case event
    case valve
    case alarm = "alarm_control_panel"
    /// A picture that its device sends: Home Assistant's MQTT camera and image.
    case image

    /// The kind in the source contract's `entity_type`, whose values stay as they are (Seed 004, item 24).
    public var contractType: EntityKind {
        switch self {
        case .event, .alarm, .image: .sensor
        case .valve: .cover
        default: self
        }
    }

    /// The verbs that mean something on such an entity, besides `read`.
    public var verbs: Set<Verb> {
        switch self {
        case .lock: [.lock, .unlock, .open]
        case .cover: [.open, .close, .stop, .setPosition, .setTilt]
        case .valve: [.open, .close, .stop, .setPosition]
        case .light: [.on, .off, .setBrightness, .setColor, .setEffect]
        case .switch: [.on, .off]
        case .fan: [.on, .off, .setPercentage, .setPreset, .setDirection, .oscillate]
        case .climate: [.on, .off, .setTemperature, .setMode, .setPreset]
        case .alarm: [.arm, .disarm, .trigger]
        case .button: [.press]
        case .media: [.on, .off, .play, .pause, .setVolume]
        case .sensor, .binarySensor, .event, .image: []
        }
    }
}
