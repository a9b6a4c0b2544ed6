import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

/// An action that a device offers.
public struct AvailableAction: Hashable, Sendable, Identifiable {
    public let entityID: String
    /// The name of the part of the device that does it.
    public let entityName: String
    public let verb: Verb
    public let risk: Risk
    /// True if the action may be queued while the house cannot be reached.
    public let canQueue: Bool
    /// The kind of door that the action moves; nil if it moves none.
    public let door: EntityKind?

    public var id: String { "\(entityID) \(verb.rawValue)" }

    public static func all(of device: DeviceAnswer) -> [AvailableAction] {
        device.entities.filter(\.isEnabled).flatMap { entity in
            entity.actions.filter { $0.risk > .read }.map { action in
                AvailableAction(
                    entityID: entity.entityID, entityName: entity.name, verb: action.action, risk: action.risk,
                    canQueue: OfflinePolicy.canExecuteOffline(action.action.rawValue, on: device, entityID: entity.entityID),
                    door: Door(device, entity) == nil ? nil : entity.kind)
            }
        }
    }
}
