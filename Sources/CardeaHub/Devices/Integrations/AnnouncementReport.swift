import CardeaModel

/// The announcements that an integration has read: the entities they gave, and the parts that were left out.
public struct AnnouncementReport: Hashable, Sendable {
    /// A device of the house, and where its entities were announced.
    public struct AnnouncedDevice: Hashable, Sendable {
        public let deviceID: String
        /// The name that the device gives itself.
        public let name: String
        public let entities: [AnnouncedEntity]

        public init(deviceID: String, name: String, entities: [AnnouncedEntity]) {
            self.deviceID = deviceID
            self.name = name
            self.entities = entities
        }
    }

    public struct AnnouncedEntity: Hashable, Sendable {
        public let entityID: String
        /// The platform in the words of the announcement: `lock`, `sensor`.
        public let component: String
        /// The topic that it was announced at.
        public let topic: String

        public init(entityID: String, component: String, topic: String) {
            self.entityID = entityID
            self.component = component
            self.topic = topic
        }
    }

    /// A part of an announcement that the house does not use.
    public struct Omission: Hashable, Sendable {
        /// The topic that it was announced at.
        public let topic: String
        /// The platform in the words of the announcement: `humidifier`.
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

    public var devices: [AnnouncedDevice]
    public var omissions: [Omission]
    /// There are more omissions than are listed.
    public var isCut: Bool

    public init(devices: [AnnouncedDevice] = [], omissions: [Omission] = [], isCut: Bool = false) {
        self.devices = devices
        self.omissions = omissions
        self.isCut = isCut
    }
}
