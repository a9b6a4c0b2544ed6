import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// A device's state as a few words.
enum StateText {
    /// All of a device's entities, and whether it answers at all. Unknown states come last, with their last report.
    static func summary(of device: DeviceAnswer, _ clock: HouseClock) -> String {
        let enabled = device.entities.filter(\.isEnabled)
        let known = enabled.filter { $0.lastReported == nil }.map { text($0) }.filter { !$0.isEmpty }
        let reports = enabled.compactMap { entity -> (word: String, at: Date)? in
            guard let report = entity.lastReported else { return nil }
            let word = text(entity, report.state, report.attributes)
            return word.isEmpty ? nil : (word, report.at)
        }
        guard reports.isEmpty else {
            let words = LastReportText(clock).unknownState(reports)
            let isSilent = device.status == .offline || device.status == .error
            // Beside a lost state, an unknown one adds nothing.
            let others = isSilent ? ["does not answer"] : known.filter { $0 != "unknown" }
            return others.isEmpty ? words : "\(others.joined(separator: ", ")); \(words)"
        }
        let states = known.joined(separator: ", ")
        switch device.status {
        case .online: return states
        case .unknown: return states.isEmpty ? "no report yet" : states
        case .offline, .error: return states.isEmpty ? "does not answer" : "does not answer; last: \(states)"
        }
    }

    /// The same of one entity.
    static func text(_ entity: EntityAnswer, _ clock: HouseClock) -> String {
        guard let report = entity.lastReported else { return text(entity) }
        return LastReportText(clock).unknownState([(text(entity, report.state, report.attributes), report.at)])
    }

    private static func text(_ entity: EntityAnswer) -> String {
        let words = text(entity, entity.state, entity.attributes)
        guard entity.isAssumed == true, !words.isEmpty else { return words }
        return entity.state == "unknown" ? "assumed" : "\(words), assumed"
    }

    private static func text(_ entity: EntityAnswer, _ state: String, _ attributes: [String: JSONValue]) -> String {
        switch entity.kind {
        case .lock: return state
        case .cover: return valueText(state, attributes["position"], "%", unless: ["closed"])
        case .light, .fan: return valueText(state, attributes["brightness"] ?? attributes["percentage"], "%", unless: ["off"])
        case .climate:
            let now = attributes["current_temperature"]?.number.map { "\(number($0)) °C" }
            let range = [attributes["target_temperature_low"], attributes["target_temperature_high"]].compactMap(\.?.number).map(number)
            let target =
                range.count == 2
                ? "to \(range.joined(separator: "–")) °C" : attributes["target_temperature"]?.number.map { "to \(number($0)) °C" }
            return ([state, now, target] as [String?]).compactMap { $0 }.joined(separator: " ")
        case .sensor:
            let value = Double(state).map { number($0, places: attributes["suggested_display_precision"]?.number) } ?? state
            return ([value, entity.unitOfMeasurement] as [String?]).compactMap { $0 }.joined(separator: " ")
        case .event:
            guard let type = attributes["event_type"]?.string else { return "no event yet" }
            return "\(type) at \(state)"
        case .valve: return valueText(state, attributes["position"], "%", unless: ["closed"])
        case .alarm: return state.replacing("_", with: " ")
        case .image: return state == "unknown" ? "no picture yet" : "picture of \(state)"
        case .button: return ""
        case .media: return state == "off" && attributes[EntityState.standby] == true ? EntityState.standby : state
        case .switch, .binarySensor: return state
        }
    }

    private static func valueText(_ state: String, _ value: JSONValue?, _ unit: String, unless still: Set<String>) -> String {
        guard let value = value?.number, !still.contains(state) else { return state }
        return "\(state) \(number(value))\(unit)"
    }

    /// With as many decimals as the device suggests, 0 to 6; without a suggestion at most one, and none if it is zero.
    static func number(_ value: Double, places: Double?) -> String {
        guard let places = places.flatMap(Int.init(exactly:)), (0...6).contains(places), value.isFinite, abs(value) < 1e12 else {
            return number(value)
        }
        return String(format: "%.\(places)f", value)
    }

    /// At most one decimal, and none if it is zero.
    static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "–" }
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
    }
}
