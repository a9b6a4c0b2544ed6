import CardeaAPI
import CardeaModel
import Foundation

/// How a thing stands, in a few words.
enum StateWords {
    /// All of a device's entities, and whether it answers at all.
    static func summary(of device: DeviceAnswer) -> String {
        let states = device.entities.filter(\.isEnabled).map(text).filter { !$0.isEmpty }.joined(separator: ", ")
        switch device.status {
        case .online: return states
        case .unknown: return states.isEmpty ? "not heard of yet" : states
        case .offline, .error: return states.isEmpty ? "does not answer" : "does not answer; last: \(states)"
        }
    }

    static func text(_ entity: EntityAnswer) -> String {
        let attributes = entity.attributes
        switch entity.entityType {
        case .lock: return entity.state
        case .cover: return word(entity.state, attributes["position"], "%", unless: ["closed"])
        case .light, .fan: return word(entity.state, attributes["brightness"] ?? attributes["percentage"], "%", unless: ["off"])
        case .climate:
            let now = attributes["current_temperature"]?.number.map { "\(number($0)) °C" }
            let target = attributes["target_temperature"]?.number.map { "to \(number($0)) °C" }
            return ([entity.state, now, target] as [String?]).compactMap { $0 }.joined(separator: " ")
        case .sensor:
            let value = Double(entity.state).map(number) ?? entity.state
            return ([value, entity.unitOfMeasurement] as [String?]).compactMap { $0 }.joined(separator: " ")
        case .button: return ""
        case .media: return entity.state == "off" && attributes[EntityState.standby] == true ? EntityState.standby : entity.state
        case .switch, .binarySensor: return entity.state
        }
    }

    private static func word(_ state: String, _ value: JSONValue?, _ unit: String, unless still: Set<String>) -> String {
        guard let value = value?.number, !still.contains(state) else { return state }
        return "\(state) \(number(value))\(unit)"
    }

    /// At most one decimal, and none where it says nothing.
    static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "–" }
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
    }
}
