import CardeaModel
import Foundation

/// `GET /api/v1/integrations/mqtt`: the integration as in the list, with the announcements it has read.
public struct MQTTIntegrationAnswer: Codable, Sendable {
    public let integration: String
    /// `connected`, `connecting`, `failed` or `off`.
    public let status: String
    public let since: Date
    public let reason: String?
    public let devices: Int
    public let notices: [IntegrationAnswer.Notice]
    public let settings: [String: JSONValue]?
    public let announced: [AnnouncedDeviceAnswer]
    public let notUnderstood: [NotUnderstoodAnswer]
    /// There is more that was not understood than is listed.
    public let hasMoreNotUnderstood: Bool

    enum CodingKeys: String, CodingKey {
        case integration, status, since, reason, devices, notices, settings, announced
        case notUnderstood = "not_understood"
        case hasMoreNotUnderstood = "has_more_not_understood"
    }

    public init(
        _ answer: IntegrationAnswer, announced: [AnnouncedDeviceAnswer], notUnderstood: [NotUnderstoodAnswer], hasMoreNotUnderstood: Bool
    ) {
        integration = answer.integration
        status = answer.status
        since = answer.since
        reason = answer.reason
        devices = answer.devices
        notices = answer.notices
        settings = answer.settings
        self.announced = announced
        self.notUnderstood = notUnderstood
        self.hasMoreNotUnderstood = hasMoreNotUnderstood
    }
}

/// A device that announced itself, and where its entities were announced.
public struct AnnouncedDeviceAnswer: Codable, Sendable {
    public let deviceID: String
    /// The name that the device gives itself.
    public let name: String
    public let entities: [EntityAnswer]

    enum CodingKeys: String, CodingKey {
        case name, entities
        case deviceID = "device_id"
    }

    public struct EntityAnswer: Codable, Sendable {
        public let entityID: String
        /// The platform in the words of the announcement.
        public let component: String
        public let topic: String

        enum CodingKeys: String, CodingKey {
            case component, topic
            case entityID = "entity_id"
        }

        public init(entityID: String, component: String, topic: String) {
            self.entityID = entityID
            self.component = component
            self.topic = topic
        }
    }

    public init(deviceID: String, name: String, entities: [EntityAnswer]) {
        self.deviceID = deviceID
        self.name = name
        self.entities = entities
    }
}

/// A part of an announcement that the house does not use.
public struct NotUnderstoodAnswer: Codable, Hashable, Sendable {
    public let topic: String
    /// The platform in the words of the announcement.
    public let component: String
    /// A plain sentence.
    public let reason: String
    /// The name of the device it belongs to, if the announcement gives one.
    public let device: String?

    public init(topic: String, component: String, reason: String, device: String?) {
        self.topic = topic
        self.component = component
        self.reason = reason
        self.device = device
    }
}

/// `GET /api/v1/integrations/mqtt/announcement`
public struct AnnouncementAnswer: Codable, Sendable {
    public let topic: String
    /// As it came, its secrets masked.
    public let announcement: String

    public init(topic: String, announcement: String) {
        self.topic = topic
        self.announcement = announcement
    }
}

/// `POST /api/v1/integrations/mqtt/check-announcement`
public struct CheckAnnouncementBody: WireFormat.Body, Encodable, Sendable {
    /// The announcement as a device would publish it.
    public var announcement: String
    /// The topic that it would be announced at. It may be omitted if the announcement is of a whole device.
    public var topic: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case announcement, topic
    }

    public init(announcement: String, topic: String? = nil) {
        self.announcement = announcement
        self.topic = topic
    }
}

/// The entities that an announcement would give, and the parts that would be left out.
public struct AnnouncementCheckAnswer: Codable, Sendable {
    public let entities: [EntityAnswer]
    public let notUnderstood: [NotUnderstoodAnswer]

    enum CodingKeys: String, CodingKey {
        case entities
        case notUnderstood = "not_understood"
    }

    public struct EntityAnswer: Codable, Sendable {
        /// The id it would have in an empty house.
        public let entityID: String
        public let kind: String
        public let name: String
        /// The name of its device.
        public let device: String
        public let deviceClass: String?
        public let unit: String?
        public let actions: [String]
        /// The topics it listens to.
        public let reads: [String]
        /// The topics its commands go to.
        public let writes: [String]

        enum CodingKeys: String, CodingKey {
            case kind, name, device, unit, actions, reads, writes
            case entityID = "entity_id"
            case deviceClass = "device_class"
        }

        public init(
            entityID: String, kind: String, name: String, device: String, deviceClass: String?, unit: String?, actions: [String],
            reads: [String], writes: [String]
        ) {
            self.entityID = entityID
            self.kind = kind
            self.name = name
            self.device = device
            self.deviceClass = deviceClass
            self.unit = unit
            self.actions = actions
            self.reads = reads
            self.writes = writes
        }
    }

    public init(entities: [EntityAnswer], notUnderstood: [NotUnderstoodAnswer]) {
        self.entities = entities
        self.notUnderstood = notUnderstood
    }
}
