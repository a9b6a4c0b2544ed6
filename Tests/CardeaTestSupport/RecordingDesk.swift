import CardeaHub
import CardeaModel

/// A desk that writes down what is handed in.
public struct RecordingDesk: DeviceDesk {
    public struct Log: Sendable {
        public var rooms: [Room] = []
        public var devices: [String: Device] = [:]
        public var withdrawn: [String] = []
        public var batches: [[EntityReport]] = []
        public var statuses: [String: DeviceStatus] = [:]
        /// All that was told of each device, in order: what lasted for a moment too.
        public var pastStatuses: [String: [DeviceStatus]] = [:]
        /// Whether there is room on the disk.
        public var hasRoom = true
        /// Topics of ways in.
        public var heldTopics: Set<String> = []
        /// Remembered of each entity.
        public var holds: [String: WayInHold] = [:]

        public var reports: [EntityReport] { batches.flatMap(\.self) }

        public func last(_ entityID: String) -> EntityReport? { reports.last { $0.entityID == entityID } }
    }

    /// What a full disk says.
    public struct NoRoom: Error {}

    public let log = Watched(Log())
    /// Entities that belong to somebody else.
    private let taken: Set<String>

    public init(taken: Set<String> = []) { self.taken = taken }

    public func announce(rooms: [Room]) async throws {
        log.change { $0.rooms = rooms }
    }

    public func announce(_ device: Device) async throws {
        try needRoom()
        if let entity = device.entities.first(where: { taken.contains($0.id) }) {
            throw EntityTaken(entityID: entity.id, deviceID: "another-device")
        }
        log.change { $0.devices[device.id] = device }
    }

    public func withdraw(deviceID: String, integration: String) async throws {
        try needRoom()
        log.change {
            $0.devices[deviceID] = nil
            $0.withdrawn.append(deviceID)
        }
    }

    public func report(_ reports: [EntityReport]) async throws {
        try needRoom()
        log.change { $0.batches.append(reports) }
    }

    public func availability(_ status: DeviceStatus, deviceIDs: [String]) async throws {
        try needRoom()
        log.change { log in
            for id in deviceIDs {
                log.statuses[id] = status
                log.pastStatuses[id, default: []].append(status)
            }
        }
    }

    private func needRoom() throws {
        guard log.now.hasRoom else { throw NoRoom() }
    }

    public func hold(of entityID: String) -> WayInHold { log.now.holds[entityID] ?? WayInHold() }
    public func holds(topic: String) async throws -> Bool { log.now.heldTopics.contains(topic) }
}
