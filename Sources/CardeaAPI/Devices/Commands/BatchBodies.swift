import CardeaModel

/// One action for one device, in a batch or a scene. `id` is another name for `device_id`.
public struct DeviceActionBody: WireFormat.Body, Encodable, Sendable {
    public var deviceID: String
    public var entityID: String?
    public var action: String
    public var value: JSONValue?
    /// Milliseconds over which a light fades, 0 to 600 000.
    public var transitionTime: Double?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id, action, value
        case deviceID = "device_id"
        case entityID = "entity_id"
        case transitionTime = "transition_time"
    }

    public init(deviceID: String, entityID: String? = nil, action: String, value: JSONValue? = nil, transitionTime: Double? = nil) {
        self.deviceID = deviceID
        self.entityID = entityID
        self.action = action
        self.value = value
        self.transitionTime = transitionTime
    }

    public init(_ action: DeviceAction) {
        self.init(
            deviceID: action.deviceID, entityID: action.entityID, action: action.verb.rawValue, value: action.value,
            transitionTime: action.transition.map { $0 * 1000 })
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.closedContainer(keyedBy: CodingKeys.self)
        let alias = try container.decodeIfPresent(String.self, forKey: .id)
        let named = try container.decodeIfPresent(String.self, forKey: .deviceID)
        guard let deviceID = named ?? alias else {
            throw DecodingError.keyNotFound(
                CodingKeys.deviceID, .init(codingPath: decoder.codingPath, debugDescription: "is required"))
        }
        guard alias == nil || alias == deviceID else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath + [CodingKeys.id],
                    debugDescription: "must be the same device as device_id. Send one of the two"))
        }
        self.deviceID = deviceID
        entityID = try container.decodeIfPresent(String.self, forKey: .entityID)
        action = try container.decode(String.self, forKey: .action)
        value = try container.decodeIfPresent(JSONValue.self, forKey: .value)
        transitionTime = try container.decodeIfPresent(Double.self, forKey: .transitionTime)
        if let transitionTime, !(0...600_000).contains(transitionTime) {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath + [CodingKeys.transitionTime], debugDescription: "must be from 0 to 600000 milliseconds")
            )
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deviceID, forKey: .deviceID)
        try container.encodeIfPresent(entityID, forKey: .entityID)
        try container.encode(action, forKey: .action)
        try container.encodeIfPresent(value, forKey: .value)
        try container.encodeIfPresent(transitionTime, forKey: .transitionTime)
    }
}

/// `POST /api/v1/devices/batch-control`
public struct BatchControlBody: WireFormat.Body, Encodable, Sendable {
    public var devices: [DeviceActionBody]

    public enum CodingKeys: String, CodingKey, CaseIterable { case devices }

    public init(devices: [DeviceActionBody]) {
        self.devices = devices
    }
}

/// The result of each item of a batch, with the batch's id.
public struct BatchAnswer: Codable, Sendable {
    public let batchID: String
    public let results: [Item]

    public struct Item: Codable, Sendable {
        public let deviceID: String
        public let entityID: String?
        public let action: String
        /// A command's status, or `refused`.
        public let status: String
        /// The error code of `/api/v1`, if it did not go well.
        public let code: String?
        public let message: String?
        public let details: [String: JSONValue]?
        public let commandID: String?
        public let newState: CommandAnswer.EntityStateAnswer?
        public let executionTime: Int?

        enum CodingKeys: String, CodingKey {
            case action, status, code, message, details
            case deviceID = "device_id"
            case entityID = "entity_id"
            case commandID = "command_id"
            case newState = "new_state"
            case executionTime = "execution_time"
        }

        public init(
            deviceID: String, entityID: String?, action: String, status: String, code: String? = nil, message: String? = nil,
            details: [String: JSONValue]? = nil, commandID: String? = nil, newState: EntityState? = nil, executionTime: Int? = nil
        ) {
            self.deviceID = deviceID
            self.entityID = entityID
            self.action = action
            self.status = status
            self.code = code
            self.message = message
            self.details = details
            self.commandID = commandID
            self.newState = newState.map(CommandAnswer.EntityStateAnswer.init)
            self.executionTime = executionTime
        }
    }

    enum CodingKeys: String, CodingKey {
        case results
        case batchID = "batch_id"
    }

    public init(batchID: String, results: [Item]) {
        self.batchID = batchID
        self.results = results
    }
}
