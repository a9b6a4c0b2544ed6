import Foundation

/// A thing in the house (Seed 004, item 23): a lock, a lamp, a thermostat, with one or more entities.
public struct Device: Hashable, Sendable {
    public let id: String
    public var name: String
    public var deviceClass: DeviceClass
    public var roomID: String?
    public var integration: String
    public var connection: ConnectionMethod
    public var manufacturer: String?
    public var model: String?
    public var status: DeviceStatus
    /// A member may not open such a device. A flag a person sets, not the device class.
    public var isSecurityDevice: Bool
    /// A pass opens only devices that are still flagged so.
    public var isGuestAccessible: Bool
    public var attributes: [String: JSONValue]
    /// Rises when its description changes: people's edits, and the integration's announcements. It detects outdated edits, so state reports
    /// do not change it.
    public var version: Int
    /// Rises with every change the house sees, its state's too. Both are assigned by the hub.
    public var revision: Int
    public var stateChangedAt: Date
    public var lastSeenAt: Date?
    /// A description by the residents, beyond the name.
    public var description: String?
    /// The way in which the integration discovered it: `mqtt_discovery`.
    public var discovery: String?
    /// The id of the hub device through which it is reached; nil if there is none.
    public var hubID: String?
    public var entities: [Entity]

    public init(
        id: String, name: String, deviceClass: DeviceClass, roomID: String? = nil, integration: String,
        connection: ConnectionMethod = .local, manufacturer: String? = nil, model: String? = nil, status: DeviceStatus = .unknown,
        isSecurityDevice: Bool = false, isGuestAccessible: Bool = true, attributes: [String: JSONValue] = [:],
        version: Int = 0, revision: Int = 0, stateChangedAt: Date, lastSeenAt: Date? = nil, description: String? = nil,
        discovery: String? = nil,
        hubID: String? = nil, entities: [Entity]
    ) {
        self.id = id
        self.name = name
        self.deviceClass = deviceClass
        self.roomID = roomID
        self.integration = integration
        self.connection = connection
        self.manufacturer = manufacturer
        self.model = model
        self.status = status
        self.isSecurityDevice = isSecurityDevice
        self.isGuestAccessible = isGuestAccessible
        self.attributes = attributes
        self.version = version
        self.revision = revision
        self.stateChangedAt = stateChangedAt
        self.lastSeenAt = lastSeenAt
        self.description = description
        self.discovery = discovery
        self.hubID = hubID
        self.entities = entities
    }
}

extension Device {
    /// The integration of devices that people have described and that are not connected yet.
    public static let planned = "planned"

    /// True if no device is connected yet: it cannot be controlled, and its state is unknown.
    public var isPlanned: Bool { integration == Self.planned }

    /// Returns whether an entity only configures or reports on a device that has another purpose, as a child lock does.
    public func isIncidental(_ entity: Entity) -> Bool { entity.category != nil && entities.contains { $0.category == nil } }

    /// True if Home Assistant already has the device: it is mirrored from there, or announces itself on the same broker.
    public var isKnownToHomeAssistant: Bool { ["home-assistant", "mqtt"].contains(integration) }
}
