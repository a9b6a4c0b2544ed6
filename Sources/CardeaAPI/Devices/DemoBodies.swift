import CardeaModel
import Foundation

/// A device as the seed's client reads it (Seed 004, `DeviceDTO`).
public struct DemoDevice: Encodable, Sendable {
    public let id: String
    public let userName: String
    @Nullable public private(set) var userDescription: String?
    @Nullable public private(set) var location: String?
    public let deviceClass: DeviceClass
    public let status: DeviceStatus
    public let currentState: [String: JSONValue]
    public let supportedFeatures: [String]
    /// The device's actions, and the value that each one takes.
    public let capabilities: [String: JSONValue]

    enum CodingKeys: String, CodingKey {
        case id, location, status, capabilities
        case userName = "user_name"
        case userDescription = "user_description"
        case deviceClass = "device_class"
        case currentState = "current_state"
        case supportedFeatures = "supported_features"
    }

    public init(_ device: Device, room: String?) {
        id = device.id
        userName = device.name
        userDescription = device.description
        location = room
        deviceClass = device.deviceClass
        status = device.status
        let summary = DeviceSummary.of(device)
        let isLost = device.lastReported != nil && summary.isEmpty
        currentState = DeviceSummary.complete(
            SourceDeviceState.typed(summary),
            DeviceSummary.customAttributes(isLost ? [:] : device.attributes, device.entities.lazy.map { DeviceSummary.EntitySummary($0) }))
        supportedFeatures = device.features
        capabilities = DeviceCapabilities.of(device)
    }
}

/// `GET /api/devices`
public struct DemoDevices: Encodable, Sendable {
    public let devices: [DemoDevice]
    public let total: Int
    public let filtersApplied: [String: String]

    enum CodingKeys: String, CodingKey {
        case devices, total
        case filtersApplied = "filters_applied"
    }

    public init(devices: [DemoDevice], total: Int, filtersApplied: [String: String]) {
        self.devices = devices
        self.total = total
        self.filtersApplied = filtersApplied
    }
}

/// `PUT /api/devices/{id}/control`, done.
public struct DemoControlAnswer: Encodable, Sendable {
    public let status = "success"
    public let device: DemoDevice

    enum CodingKeys: String, CodingKey { case status, device }

    public init(device: DemoDevice) { self.device = device }
}
