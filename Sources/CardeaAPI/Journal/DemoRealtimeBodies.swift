import CardeaModel
import Foundation

/// A message of the seed's client on `/ws`: `init` with its subscriptions, or `ping`. Other members of `data` are ignored.
public struct DemoMessage: Decodable, Sendable {
    public let type: String
    public let data: InitData?

    public struct InitData: Decodable, Sendable {
        public let subscriptions: [String]?
    }
}

/// A message of the hub on `/ws` (Seed 004, `WebSocketEvent`).
public struct DemoEvent: Encodable, Sendable {
    public let type: String
    public let data: Content
    public let timestamp: Date

    public enum Content: Encodable, Sendable {
        case device(id: String, DemoDevice?)
        /// Devices that changed together, each encoded as it would be alone.
        case devices([Content])
        /// The house's status.
        case status(ConsciousnessAnswer)
        /// Members of the house's own event, which are in the seed's words already.
        case members([String: JSONValue])
        case greeting(clientID: String, subscriptions: [String])
        case error(String)
        case empty

        enum CodingKeys: String, CodingKey {
            case device, devices, subscriptions, message
            case deviceID = "device_id"
            case clientID = "client_id"
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .status(let answer): return try answer.encode(to: encoder)
            case .members(let members): return try members.encode(to: encoder)
            default: break
            }
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .device(let id, let device):
                try container.encode(id, forKey: .deviceID)
                try container.encodeIfPresent(device, forKey: .device)
            case .devices(let devices): try container.encode(devices, forKey: .devices)
            case .greeting(let id, let subscriptions):
                try container.encode(id, forKey: .clientID)
                try container.encode(subscriptions, forKey: .subscriptions)
            case .error(let message): try container.encode(message, forKey: .message)
            case .status, .members, .empty: break
            }
        }
    }

    enum CodingKeys: String, CodingKey { case type, data, timestamp }

    public init(type: String, data: Content, timestamp: Date) {
        self.type = type
        self.data = data
        self.timestamp = timestamp
    }
}
