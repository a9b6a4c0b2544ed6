import Foundation

/// An action of an automation.
public enum AutomationAction: Hashable, Sendable {
    /// Asks one thing of one device, through the gate, as the owner.
    case control(DeviceAction)
    /// All that a scene says, each by the owner's own right.
    case scene(id: String)
    /// Says something.
    case notify(words: String, to: Recipients)

    /// The recipients of the notification.
    public enum Recipients: String, Codable, Hashable, Sendable, CaseIterable {
        case owner
        /// Every resident who may see the devices.
        case residents
    }

    /// Characters of the notification's text.
    public static let textLimit = 200

    func checked(_ field: String) throws(AutomationError) -> AutomationAction {
        switch self {
        case .control(let action):
            try AutomationError.checkID(action.deviceID, "\(field).device_id")
            if let entity = action.entityID { try AutomationError.checkID(entity, "\(field).entity_id") }
            guard let value = action.verb.value.normalized(action.value) else {
                throw AutomationError("\(field).value", "is not valid: \(action.verb.valueSentence)")
            }
            return .control(DeviceAction(deviceID: action.deviceID, entityID: action.entityID, verb: action.verb, value: value))
        case .scene(let id):
            try AutomationError.checkID(id, "\(field).scene_id")
            return self
        case .notify(let words, let recipients):
            guard let words = try? Name.checkDescription(words), words.count <= Self.textLimit else {
                throw AutomationError("\(field).words", "must have 1 to \(Self.textLimit) visible characters")
            }
            return .notify(words: words, to: recipients)
        }
    }
}

extension AutomationAction: Codable {
    private enum Key: String, CodingKey {
        case type, action, value, words, to
        case deviceID = "device_id"
        case entityID = "entity_id"
        case sceneID = "scene_id"
    }

    /// The name of the action on the wire.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case control, scene, notify
    }

    public init(from decoder: any Decoder) throws {
        let fields = try AutomationFieldDecoder(decoder, of: Key.self)
        switch try fields.word(.type, as: Kind.self) {
        case .control:
            try fields.rejectUnknown(.deviceID, .entityID, .action, .value)
            guard let verb = Verb(requested: try fields.text(.action)) else {
                throw fields.invalidValue(.action, "is not a known action. Use an action such as on or open")
            }
            self = .control(
                DeviceAction(
                    deviceID: try fields.text(.deviceID), entityID: try fields.optionalText(.entityID), verb: verb,
                    value: try fields.value(.value)))
        case .scene:
            try fields.rejectUnknown(.sceneID)
            self = .scene(id: try fields.text(.sceneID))
        case .notify:
            try fields.rejectUnknown(.words, .to)
            let to = try fields.has(.to) ? try fields.word(.to, as: Recipients.self) : .owner
            self = .notify(words: try fields.text(.words), to: to)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        func type(_ word: Kind) throws { try fields.encode(word.rawValue, forKey: .type) }
        switch self {
        case .control(let action):
            try type(.control)
            try fields.encode(action.deviceID, forKey: .deviceID)
            try fields.encode(action.entityID, forKey: .entityID)
            try fields.encode(action.verb, forKey: .action)
            try fields.encode(action.value, forKey: .value)
        case .scene(let id):
            try type(.scene)
            try fields.encode(id, forKey: .sceneID)
        case .notify(let words, let to):
            try type(.notify)
            try fields.encode(words, forKey: .words)
            try fields.encode(to, forKey: .to)
        }
    }
}
