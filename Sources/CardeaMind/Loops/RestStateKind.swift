import CardeaModel

/// The kind of an entity by its resting state: doors are shut, lamps are off.
enum RestStateKind: String, Codable, Hashable, Sendable {
    case lock, opening, cover, light, other

    /// Nil for entities without a resting state whose usual times mean anything, such as motion sensors.
    init?(_ entity: Entity) {
        switch entity.kind {
        case .lock: self = .lock
        case .cover: self = entity.isWayIn ? .opening : .cover
        case .binarySensor:
            switch entity.deviceClass {
            case "door", "garage_door", "window", "opening": self = .opening
            case "lock": self = .lock
            default: return nil
            }
        case .light: self = .light
        case .switch, .fan:
            guard entity.category == nil else { return nil }
            self = .other
        case .climate, .media, .button, .sensor, .event, .valve, .alarm, .image: return nil
        }
    }

    /// Derives the kind from the id alone, if the house knows no more of the entity.
    init?(id: String) {
        switch id.prefix(while: { $0 != "." }) {
        case "lock": self = .lock
        case "cover": self = .cover
        case "light": self = .light
        case "switch", "fan": self = .other
        default: return nil
        }
    }

    var resting: StateSentence {
        switch self {
        case .lock: .locked
        case .opening, .cover: .shut
        case .light, .other: .off
        }
    }

    var active: StateSentence {
        switch self {
        case .lock: .notLocked
        case .opening, .cover: .open
        case .light, .other: .on
        }
    }

    /// True if something left in its active state gives access to the house: an unlocked lock or an open door, not an open blind.
    var isWayIn: Bool { self == .lock || self == .opening }
}
