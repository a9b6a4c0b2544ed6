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
        switch entity.kind {
        case .lock: return entity.state
        case .cover: return word(entity.state, attributes["position"], "%", unless: ["closed"])
        case .light, .fan: return word(entity.state, attributes["brightness"] ?? attributes["percentage"], "%", unless: ["off"])
        case .climate:
            let now = attributes["current_temperature"]?.number.map { "\(number($0)) °C" }
            let range = [attributes["target_temperature_low"], attributes["target_temperature_high"]].compactMap(\.?.number).map(number)
            let target =
                range.count == 2
                ? "to \(range.joined(separator: "–")) °C" : attributes["target_temperature"]?.number.map { "to \(number($0)) °C" }
            return ([entity.state, now, target] as [String?]).compactMap { $0 }.joined(separator: " ")
        case .sensor:
            let value = Double(entity.state).map { number($0, places: attributes["suggested_display_precision"]?.number) } ?? entity.state
            return ([value, entity.unitOfMeasurement] as [String?]).compactMap { $0 }.joined(separator: " ")
        case .event:
            guard let type = attributes["event_type"]?.string else { return "no event yet" }
            return "\(type) at \(entity.state)"
        case .valve: return word(entity.state, attributes["position"], "%", unless: ["closed"])
        case .alarm: return entity.state.replacing("_", with: " ")
        case .image: return entity.state == "unknown" ? "no picture yet" : "picture of \(entity.state)"
        case .button: return ""
        case .media: return entity.state == "off" && attributes[EntityState.standby] == true ? EntityState.standby : entity.state
        case .switch, .binarySensor: return entity.state
        }
    }

    private static func word(_ state: String, _ value: JSONValue?, _ unit: String, unless still: Set<String>) -> String {
        guard let value = value?.number, !still.contains(state) else { return state }
        return "\(state) \(number(value))\(unit)"
    }

    /// With as many decimals as the device suggests, 0 to 6; else at most one, and none where it says nothing.
    static func number(_ value: Double, places: Double?) -> String {
        guard let places = places.flatMap(Int.init(exactly:)), (0...6).contains(places), value.isFinite, abs(value) < 1e12 else {
            return number(value)
        }
        return String(format: "%.\(places)f", value)
    }

    /// At most one decimal, and none where it says nothing.
    static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "–" }
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
    }
}
