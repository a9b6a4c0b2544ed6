import CardeaAPI
import CardeaModel

/// A way in: a lock, a garage, a gate, and how one opens or shuts it.
public struct Door: Sendable {
    public let device: DeviceAnswer
    public let entity: EntityAnswer

    public init?(_ device: DeviceAnswer, _ entity: EntityAnswer) {
        switch entity.entityType {
        case .lock: break
        case .cover where Self.classes.contains(entity.deviceClass ?? ""): break
        case .button where Self.classes.contains(entity.deviceClass ?? ""): break
        default: return nil
        }
        self.device = device
        self.entity = entity
    }

    /// What a way in may be.
    public static let kinds: Set<EntityKind> = [.lock, .cover, .button]

    private static let classes: Set<String> = ["garage", "door", "gate"]

    public static func all(in devices: [DeviceAnswer]) -> [Door] {
        devices.flatMap { device in device.entities.filter(\.isEnabled).compactMap { Door(device, $0) } }
    }

    /// The device's name, and the entity's where the device has several doors.
    public var name: String {
        device.entities.filter { Door(device, $0) != nil }.count > 1 ? "\(device.name), \(entity.name)" : device.name
    }

    /// Opening means turning a lock, raising a cover, pressing a button.
    public var verbToOpen: Verb {
        switch entity.entityType {
        case .lock: .unlock
        case .button: .press
        default: .open
        }
    }

    /// nil where a door shuts by itself, as one behind a button does.
    public var verbToLock: Verb? {
        switch entity.entityType {
        case .lock: .lock
        case .button: nil
        default: .close
        }
    }
}
