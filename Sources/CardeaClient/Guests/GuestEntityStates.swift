import CardeaModel
import Foundation

/// The states of a pass's devices, from `GET /api/guest_access/states`.
public struct GuestEntityStates: Codable, Sendable {
    public let entities: [Entity]

    public struct Entity: Codable, Sendable {
        public let entityID: String
        public let domain: String
        public let state: String
        public let friendlyName: String?
        public let lastChanged: Date?
        public let unit: String?
        public let deviceClass: String?
        /// 0 to 100, if it is a light that can be dimmed.
        public let brightness: JSONValue?
        /// 0 to 100: how far open it is.
        public let currentPosition: JSONValue?
        public let currentTiltPosition: JSONValue?
        /// In the unit of the house.
        public let currentTemperature: JSONValue?
        /// The target temperature.
        public let temperature: JSONValue?

        enum CodingKeys: String, CodingKey {
            case domain, state, unit, brightness, temperature
            case entityID = "entity_id"
            case friendlyName = "friendly_name"
            case lastChanged = "last_changed"
            case deviceClass = "device_class"
            case currentPosition = "current_position"
            case currentTiltPosition = "current_tilt_position"
            case currentTemperature = "current_temperature"
        }
    }
}
