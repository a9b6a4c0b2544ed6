import CardeaModel
import Foundation

/// `POST /api/v1/realtime/ticket`
public struct TicketAnswer: Codable, Sendable {
    public let ticket: String
    /// Seconds.
    public let expiresIn: Int

    enum CodingKeys: String, CodingKey {
        case ticket
        case expiresIn = "expires_in"
    }

    public init(ticket: String, expiresIn: Int) {
        self.ticket = ticket
        self.expiresIn = expiresIn
    }
}

/// A client's message on `/api/v1/realtime`: `subscribe`, `ping`, or `init` in the source contract's words.
public struct RealtimeMessage: WireFormat.Body, Sendable {
    public let type: String
    public let ticket: String?
    /// The last event the client has; nil asks for a snapshot.
    public let after: Int64?
    /// Names of events; nil for all.
    public let kinds: [String]?
    public let devices: [String]?
    public let rooms: [String]?
    /// Of `init`.
    public let data: DemoMessage.InitData?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case type, ticket, after, kinds, devices, rooms, data
    }
}

/// `device_removed`
public struct DeviceRemovedData: Codable, Sendable {
    public let deviceID: String

    enum CodingKeys: String, CodingKey {
        case deviceID = "device_id"
    }

    public init(deviceID: String) { self.deviceID = deviceID }
}

/// An entity's reported state, sent beside the device it belongs to.
public struct StateReportData: Codable, Sendable {
    public let entityID: String
    public let state: String
    public let attributes: [String: JSONValue]

    enum CodingKeys: String, CodingKey {
        case state, attributes
        case entityID = "entity_id"
    }

    public init(entityID: String, state: String, attributes: [String: JSONValue]) {
        self.entityID = entityID
        self.state = state
        self.attributes = attributes
    }
}
