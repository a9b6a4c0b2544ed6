import CardeaModel

/// The entities that one announcement would give in an empty house, and the parts that would be left out.
public struct AnnouncementCheck: Hashable, Sendable {
    public struct CheckedEntity: Hashable, Sendable {
        public let entity: Entity
        /// The name of its device.
        public let device: String
        /// The topics it listens to.
        public let reads: [String]
        /// The topics its commands go to.
        public let writes: [String]

        public init(entity: Entity, device: String, reads: [String], writes: [String]) {
            self.entity = entity
            self.device = device
            self.reads = reads
            self.writes = writes
        }
    }

    public var entities: [CheckedEntity]
    public var omissions: [AnnouncementReport.Omission]

    public init(entities: [CheckedEntity] = [], omissions: [AnnouncementReport.Omission] = []) {
        self.entities = entities
        self.omissions = omissions
    }
}
