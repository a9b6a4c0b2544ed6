import CardeaModel

/// Seed 004's `DeviceState`, made of what the entities say: power, brightness, color, temperature, humidity, motion, open_closed, locked.
///
/// Where several say one thing, no order among them decides whether a door is shut. Of all else, the first of a kind is believed.
enum DeviceSummary {
    static func of(_ device: Device) -> [String: JSONValue] {
        let known = device.entities.filter { $0.state.value != "unknown" }
        let lights = known.filter { $0.kind == .light }
        let climate = known.first { $0.kind == .climate }
        var summary: [String: JSONValue] = [:]
        summary["locked"] = locked(device.entities)
        summary["open_closed"] = openClosed(known)
        summary["motion"] = motion(known)
        summary["power"] = power(known)
        summary["brightness"] = first("brightness", of: lights)
        summary["color"] = first("color", of: lights)
        if let attributes = climate?.state.attributes {
            summary["temperature"] = temperature(current: attributes["current_temperature"], target: attributes["target_temperature"])
        } else {
            summary["temperature"] = reading("temperature", of: known).map { temperature(current: $0, target: nil) }
        }
        summary["humidity"] = reading("humidity", of: known)
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

    /// Only "locked" is locked: a jammed or moving bolt is not, and one bolt that is drawn is enough. One of which nothing is known lets
    /// nobody say that all of them are.
    private static func locked(_ entities: [Entity]) -> JSONValue? {
        let bolts = entities.filter { $0.kind == .lock }.map(\.state.value)
        let known = bolts.filter { $0 != "unknown" }
        if known.contains(where: { $0 != "locked" }) { return .bool(false) }
        guard !known.isEmpty, known.count == bolts.count else { return nil }
        return .bool(true)
    }

    /// Open where anything is; what moves is told before what is shut.
    private static func openClosed(_ entities: [Entity]) -> JSONValue? {
        let words = entities.compactMap { entity -> String? in
            switch entity.kind {
            case .cover: entity.state.value
            case .binarySensor where openings.contains(entity.deviceClass): entity.state.value == "on" ? "open" : "closed"
            default: nil
            }
        }
        if words.contains("open") { return .string("open") }
        return (words.first { $0 != "closed" } ?? words.first).map(JSONValue.string)
    }

    private static let openings: Set<String?> = ["door", "window", "garage_door", "opening"]

    private static func motion(_ entities: [Entity]) -> JSONValue? {
        let sensors = entities.filter { $0.kind == .binarySensor && ($0.deviceClass == "motion" || $0.deviceClass == "occupancy") }
        guard !sensors.isEmpty else { return nil }
        return .bool(sensors.contains { $0.state.value == "on" })
    }

    /// A light's before everything else's, and a switch's last: beside a thermostat or a fan it is the child lock's or the display's.
    private static func power(_ entities: [Entity]) -> JSONValue? {
        let others: Set<EntityKind> = [.fan, .media, .climate]
        let light = entities.first { $0.kind == .light }
        let other = entities.first { others.contains($0.kind) }
        guard let entity = light ?? other ?? entities.first(where: { $0.kind == .switch }) else { return nil }
        guard entity.kind == .climate else { return .string(entity.state.value) }
        return .string(entity.state.value == "off" ? "off" : "on")
    }

    private static func first(_ attribute: String, of entities: [Entity]) -> JSONValue? {
        entities.lazy.compactMap { $0.state.attributes[attribute] }.first { $0 != .null }
    }

    /// What the first sensor of a class measures.
    private static func reading(_ deviceClass: String, of entities: [Entity]) -> JSONValue? {
        entities.lazy.filter { $0.kind == .sensor && $0.deviceClass == deviceClass }
            .compactMap { Double($0.state.value) }.first(where: \.isFinite).map(JSONValue.number)
    }

    private static func temperature(current: JSONValue?, target: JSONValue?) -> JSONValue {
        .object(["current": current ?? .null, "target": target ?? .null, "unit": "°C"])
    }
}
