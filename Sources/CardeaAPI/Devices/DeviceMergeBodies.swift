import CardeaModel

/// `POST /api/v1/devices/{id}/merge`.
public struct MergeDevicesBody: WireFormat.Body, Encodable, Sendable {
    /// The other device's id.
    public var with: String

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case with
    }

    public init(with other: String) {
        with = other
    }
}

/// `POST /api/v1/devices/{id}/replace`.
public struct ReplaceDoorBody: WireFormat.Body, Encodable, Sendable {
    /// The new door, an entity of the device in the path.
    public var entityID: String
    /// The old one's entity id.
    public var replaces: String

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case replaces
        case entityID = "entity_id"
    }

    public init(entityID: String, replaces: String) {
        self.entityID = entityID
        self.replaces = replaces
    }
}

/// The device that stays, and how much names it from now on that named another one.
public struct MovedAnswer: Codable, Sendable {
    public let device: DeviceAnswer
    /// Passes that are not over.
    public let passes: Int
    public let buttons: Int
    /// Tags that press these buttons.
    public let tags: Int
    public let automations: Int
    public let scenes: Int
    /// API tokens that are bound to devices.
    public let programs: Int

    public init(device: DeviceAnswer, passes: Int, buttons: Int, tags: Int, automations: Int, scenes: Int, programs: Int) {
        self.device = device
        self.passes = passes
        self.buttons = buttons
        self.tags = tags
        self.automations = automations
        self.scenes = scenes
        self.programs = programs
    }
}

/// Doors that passes or buttons name and that are gone or out of reach.
public struct ReplaceableDoorsAnswer: Codable, Sendable {
    public let doors: [Door]

    public struct Door: Codable, Sendable {
        public let deviceID: String
        public let entityID: String
        /// The name of its device.
        public let name: String
        /// Passes that are not over.
        public let passes: Int
        public let buttons: Int
        /// Entities of the device that was asked about that can take its place.
        public let candidates: [String]

        enum CodingKeys: String, CodingKey {
            case name, passes, buttons, candidates
            case deviceID = "device_id"
            case entityID = "entity_id"
        }

        public init(deviceID: String, entityID: String, name: String, passes: Int, buttons: Int, candidates: [String]) {
            self.deviceID = deviceID
            self.entityID = entityID
            self.name = name
            self.passes = passes
            self.buttons = buttons
            self.candidates = candidates
        }
    }

    public init(doors: [Door]) {
        self.doors = doors
    }
}

extension MergeDevicesBody: SchemaRepresentable {
    public static let schema = Schema.body(["with": .deviceID])
    public static let example: JSONValue? = ["with": "back-door"]
}

extension ReplaceDoorBody: SchemaRepresentable {
    public static let schema = Schema.body(["entity_id": .entityID, "replaces": .entityID])
    public static let example: JSONValue? = ["entity_id": "lock.front_door", "replaces": "lock.old_front_door"]
}

extension MovedAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "device": .of(DeviceAnswer.self), "passes": .integer().about("Passes that have not ended"), "buttons": .integer(),
        "tags": .integer().about("Automations to be reviewed"), "automations": .integer(), "scenes": .integer(),
        "programs": .integer().about("API tokens limited to devices"),
    ])
}

extension ReplaceableDoorsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "doors": .list(
            of: .answer([
                "device_id": .deviceID, "entity_id": .entityID, "name": .text(), "passes": .integer(), "buttons": .integer(),
                "candidates": .list(of: .entityID).about("Entities of this device that can replace it"),
            ]))
    ])
}
