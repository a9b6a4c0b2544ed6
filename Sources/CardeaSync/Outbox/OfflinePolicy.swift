import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// Decides which actions may be queued while the house cannot be reached, and how long they stay valid.
///
/// No action that lets a person in, and none at any door: the door would move when the person may have left. Of the rest, only actions that
/// set a state, since a press or a stop is meant for the moment.
public enum OfflinePolicy {
    /// Seconds for which a comfort command waits for the house. Later, another person may be in the room.
    public static let controlLifetime: TimeInterval = 15 * 60

    /// The maximum number of queued operations.
    public static let queueLimit = 500

    /// Verbs that set a state.
    static let queueableVerbs: Set<Verb> = [
        .on, .off, .setBrightness, .setColor, .setTemperature, .setPercentage, .setVolume, .setPosition, .setTilt, .setMode,
        .setPreset, .setEffect, .setDirection, .oscillate,
    ]

    /// The reason why a command may not be queued for the house; nil if it may.
    public static func refusal(of action: String, on device: DeviceAnswer, entityID: String? = nil) -> OfflineQueueError? {
        guard let verb = Verb(requested: action) else { return .unknownAction(action) }
        let entities = device.entities.filter { $0.isEnabled && (entityID == nil || $0.entityID == entityID) }
        let meant = entities.filter { $0.actions.contains { $0.action == verb } }
        guard !meant.isEmpty else { return .unsupported(verb, device: device.name) }
        if meant.contains(where: { Door(device, $0) != nil }) { return .door(device.name) }
        let risks = meant.flatMap(\.actions).filter { $0.action == verb }.map(\.risk)
        guard risks.allSatisfy({ $0 <= .control }), queueableVerbs.contains(verb), !device.isSecurityDevice else {
            return .notNow(device.name)
        }
        return nil
    }

    /// Returns whether `action` may be queued without the house (Seed 004, item 39; its `toggle` is two actions here, since the present
    /// state is not known for certain).
    public static func canExecuteOffline(_ action: String, on device: DeviceAnswer, entityID: String? = nil) -> Bool {
        refusal(of: action, on: device, entityID: entityID) == nil
    }
}
