import CardeaHub
import CardeaModel

/// A sink that records its reports.
public struct RecordingDeviceSink: DeviceSink {
    public struct Log: Sendable {
        public var rooms: [Room] = []
        public var devices: [String: Device] = [:]
        public var withdrawn: [String] = []
        public var batches: [[EntityReport]] = []
        public var statuses: [String: DeviceStatus] = [:]
        /// All reported statuses of each device, in order, including brief ones.
        public var pastStatuses: [String: [DeviceStatus]] = [:]
        /// True if the disk has free space.
        public var hasDiskSpace = true
        /// Topics of ways in.
        public var heldTopics: Set<String> = []
        /// The stored restrictions of each entity.
        public var holds: [String: WayInRestrictions] = [:]

        public var reports: [EntityReport] { batches.flatMap(\.self) }

        public func last(_ entityID: String) -> EntityReport? { reports.last { $0.entityID == entityID } }
    }

    /// The error of a full disk.
    public struct DiskFullError: Error {}

    public let log = AwaitableValue(Log())
    /// Entities that belong to another integration.
    private let conflictingEntities: Set<String>

    public init(taken: Set<String> = []) { self.conflictingEntities = taken }

    public func announce(rooms: [Room]) async throws {
        log.change { $0.rooms = rooms }
    }

    public func announce(_ device: Device) async throws {
        try needRoom()
        if let entity = device.entities.first(where: { conflictingEntities.contains($0.id) }) {
            throw EntityIDConflictError(entityID: entity.id, deviceID: "another-device")
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

    public func reportAvailability(_ status: DeviceStatus, deviceIDs: [String]) async throws {
        try needRoom()
        log.change { log in
            for id in deviceIDs {
                log.statuses[id] = status
                log.pastStatuses[id, default: []].append(status)
            }
        }
    }

    private func needRoom() throws {
        guard log.now.hasDiskSpace else { throw DiskFullError() }
    }

    public func wayInHold(of entityID: String) -> WayInRestrictions { log.now.holds[entityID] ?? WayInRestrictions() }
    public func mayMoveWayIn(topic: String) async throws -> Bool { log.now.heldTopics.contains(topic) }
}
