import CardeaModel

/// Seed 004's `DeviceState`, made of what the entities say: power, brightness, color, temperature, humidity, motion, open_closed, locked.
enum DeviceSummary {
    static func of(_ device: Device) -> [String: JSONValue] {
        var summary: [String: JSONValue] = [:]
        for entity in device.entities where entity.state.value != "unknown" {
            let state = entity.state
            switch entity.kind {
            case .lock:
                // Only "locked" is locked: a jammed or moving bolt is not.
                summary["locked"] = .bool(state.value == "locked")
            case .cover:
                summary["open_closed"] = .string(state.value)
            case .light, .switch, .fan, .media:
                summary["power"] = .string(state.value)
                summary["brightness"] = state.attributes["brightness"]
                summary["color"] = state.attributes["color"]
            case .climate:
                summary["temperature"] = temperature(
                    current: state.attributes["current_temperature"], target: state.attributes["target_temperature"])
                summary["power"] = state.value == "off" ? "off" : "on"
            case .sensor: sensor(entity, into: &summary)
            case .binarySensor:
                if entity.deviceClass == "motion" || entity.deviceClass == "occupancy" {
                    summary["motion"] = .bool(state.value == "on")
                } else if ["door", "window", "garage_door", "opening"].contains(entity.deviceClass) {
                    summary["open_closed"] = state.value == "on" ? "open" : "closed"
                }
            case .button: break
            }
        }
        return summary
    }

    /// Every member of Seed 004's `DeviceState`.
    static func whole(_ known: [String: JSONValue], _ attributes: [String: JSONValue]) -> [String: JSONValue] {
        var whole: [String: JSONValue] = ["custom_attributes": .object(attributes)]
        for name in ["power", "brightness", "color", "temperature", "humidity", "motion", "open_closed", "locked"] {
            whole[name] = known[name] ?? .null
        }
        return whole
    }

    private static func sensor(_ entity: Entity, into summary: inout [String: JSONValue]) {
        guard let number = Double(entity.state.value), number.isFinite else { return }
        switch entity.deviceClass {
        case "temperature" where summary["temperature"] == nil: summary["temperature"] = temperature(current: .number(number), target: nil)
        case "humidity": summary["humidity"] = .number(number)
        default: break
        }
    }

    private static func temperature(current: JSONValue?, target: JSONValue?) -> JSONValue {
        .object(["current": current ?? .null, "target": target ?? .null, "unit": "°C"])
    }
}
