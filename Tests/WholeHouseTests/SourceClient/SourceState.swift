import CardeaModel
import Foundation

extension SourceTypes {
    /// `DeviceState`, for what stands in `current_state`.
    struct DeviceState: Decodable {
        let power: PowerState?
        let brightness: Int?
        let color: Color?
        let temperature: Temperature?
        let humidity: Double?
        let motion: Bool?
        let openClosed: OpenClosedState?
        let locked: Bool?
        let customAttributes: [String: JSONValue]

        struct Color: Decodable {
            let hue: Double
            let saturation: Double
            let temperature: Int?
        }

        struct Temperature: Decodable {
            let current: Double
            let target: Double?
            let unit: TemperatureUnit
        }
    }

    enum PowerState: String, Codable {
        case on
        case off
        case standby
    }

    enum TemperatureUnit: String, Codable {
        case celsius
        case fahrenheit
    }

    /// Undefined there.
    enum OpenClosedState: String, Codable {
        case open
        case closed
        case opening
        case closing
    }
}
