import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// What may be wished while the house cannot be reached, and how long such a wish is good.
///
/// Nothing that lets somebody in, and nothing at a door at all: it would move when nobody stands there any more. Of the rest only what
/// says how a thing shall be, since a press or a stop means the moment.
public enum OfflinePolicy {
    /// How long a wish for comfort waits for the house. Later, the room is another's.
    public static let controlLifetime: TimeInterval = 15 * 60

    /// Wishes that may wait at once. Whoever has more of them is not heard by waiting longer.
    public static let queueLimit = 500

    /// Verbs that say how a thing shall be.
    static let queueableVerbs: Set<Verb> = [
        .on, .off, .setBrightness, .setColor, .setTemperature, .setPercentage, .setVolume, .setPosition, .setTilt, .setMode,
        .setPreset, .setEffect, .setDirection, .oscillate,
    ]

    /// Whether a command may wait for the house; nil where it may, else why not.
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

    /// Whether `action` may be wished without the house (Seed 004, item 39; its `toggle` is two wishes here, since nobody may assume a state).
    public static func canExecuteOffline(_ action: String, on device: DeviceAnswer, entityID: String? = nil) -> Bool {
        refusal(of: action, on: device, entityID: entityID) == nil
    }
}
