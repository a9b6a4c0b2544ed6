import CardeaAPI
import CardeaModel
import Foundation

/// Devices as Seed 004 types them: its names, its types, and nothing optional that is not optional there. `Any` stands here as `JSONValue`.
enum SourceDocument {
    static let mediaType = "application/vnd.c11s.v1+json"

    struct DeviceListResponse: Decodable {
        let devices: [DeviceDTO]
        let total: Int
        let filtersApplied: [String: JSONValue]?
    }

    /// `DeviceDTO`, with `currentState` as `Device` types it.
    struct DeviceDTO: Decodable {
        let id: String
        let userName: String
        let userDescription: String?
        let location: String?
        let deviceClass: DeviceClass
        let status: DeviceStatus
        let currentState: DeviceState
        let supportedFeatures: [String]
        let capabilities: [String: JSONValue]
    }

    struct DeviceState: Decodable {
        let power: PowerState?
        /// 0-100
        let brightness: Int?
        let color: Color?
        let temperature: Temperature?
        let humidity: Double?
        let motion: Bool?
        let openClosed: OpenClosedState?
        let locked: Bool?
        let customAttributes: [String: JSONValue]

        struct Color: Decodable {
            /// 0-360
            let hue: Double
            /// 0-100
            let saturation: Double
            /// Kelvin
            let temperature: Int?
        }

        struct Temperature: Decodable {
            let current: Double
            let target: Double?
            let unit: TemperatureUnit
        }
    }

    enum DeviceClass: String, Decodable {
        case light, sensor, climate, security, entertainment, appliance, hub, other
    }

    enum DeviceStatus: String, Decodable {
        case online, offline, unknown, error
    }

    enum PowerState: String, Decodable {
        case on, off, standby
    }

    /// The document names the type without defining it.
    enum OpenClosedState: String, Decodable {
        case open, closed, opening, closing
    }

    enum TemperatureUnit: String, Decodable {
        case celsius, fahrenheit
    }

    struct WebSocketEvent: Decodable {
        let type: String
        let data: [String: JSONValue]
        let timestamp: Date
    }

    /// Decodes a JSON value.
    static func read<Value: Decodable>(_: Value.Type, from json: JSONValue) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = Timestamp.date(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "is no time of ISO 8601")
            }
            return date
        }
        return try decoder.decode(Value.self, from: JSONEncoder().encode(json))
    }
}
