import CardeaAPI
import CardeaModel

/// A way in: a lock, a garage, a gate, and how one opens or shuts it.
public struct Door: Sendable {
    public let device: DeviceAnswer
    public let entity: EntityAnswer

    public init?(_ device: DeviceAnswer, _ entity: EntityAnswer) {
        // An older hub does not report it.
        let isOfClass = [.cover, .button].contains(entity.kind) && Self.classes.contains(entity.deviceClass ?? "")
        guard entity.isWayIn ?? (entity.kind == .lock || isOfClass) else { return nil }
        self.device = device
        self.entity = entity
    }

    /// Entity kinds that can be a way in.
    public static let kinds: Set<EntityKind> = [.lock, .cover, .button, .switch, .valve]

    private static let classes: Set<String> = ["garage", "door", "gate"]

    public static func all(in devices: [DeviceAnswer]) -> [Door] {
        devices.flatMap { device in device.entities.filter(\.isEnabled).compactMap { Door(device, $0) } }
    }

    /// True if the device's main purpose is something else, such as a thermostat with a child lock.
    var isIncidental: Bool { entity.category != nil && device.entities.contains { $0.category == nil } }

    /// The device's name, and the entity's if the device has several doors.
    public var name: String {
        device.entities.filter { Door(device, $0) != nil }.count > 1 ? "\(device.name), \(entity.name)" : device.name
    }

    /// Opening means turning a lock, raising a cover, pressing a button, switching a relay.
    public var verbToOpen: Verb {
        switch entity.kind {
        case .lock: .unlock
        case .button: .press
        case .switch: .on
        default: .open
        }
    }

    /// nil for a door that closes by itself, such as one with a button or a relay.
    public var verbToLock: Verb? {
        switch entity.kind {
        case .lock: .lock
        case .button, .switch: nil
        default: .close
        }
    }
}
