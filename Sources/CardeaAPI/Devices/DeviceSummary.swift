import CardeaModel

/// Seed 004's `DeviceState`, made of what the entities say: power, brightness, color, temperature, humidity, motion, open_closed, locked.
///
/// If several entities report the same thing, their order never decides whether a door is shut. For everything else, the first of a kind
/// counts.
enum DeviceSummary {
    /// Every member of `current_state`, in the order of their names.
    static let names = ["brightness", "color", attributes, "humidity", "locked", "motion", "open_closed", "power", "temperature"]
    /// The member that holds the device's own attributes.
    static let attributes = "custom_attributes"

    static func of(_ device: Device) -> [String: JSONValue] {
        var builder = SummaryBuilder()
        for entity in device.entities { builder.add(entity, isIncidental: device.isIncidental(entity)) }
        var summary: [String: JSONValue] = [:]
        summary["locked"] = builder.locked
        summary["open_closed"] = builder.openClosed.map(JSONValue.string)
        summary["motion"] = builder.motion.map(JSONValue.bool)
        summary["power"] = builder.power
        summary["brightness"] = builder.brightness
        summary["color"] = builder.color.flatMap(withHueAndSaturation)
        summary["temperature"] = builder.climate ?? builder.temperature.map { temperature(current: .number($0), target: nil) }
        summary["humidity"] = builder.humidity.map(JSONValue.number)
        return summary
    }

    /// Every member of Seed 004's `DeviceState`.
    static func complete(_ known: [String: JSONValue], _ attributes: [String: JSONValue]) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, $0 == Self.attributes ? .object(attributes) : known[$0] ?? .null) })
    }

    /// A lamp's colour with the hue and the saturation that it always has: none of either if it is white.
    private static func withHueAndSaturation(_ color: JSONValue) -> JSONValue? {
        guard case .object(let members) = color else { return nil }
        return .object(["hue": 0, "saturation": 0].merging(members) { $1 })
    }

    /// An entity, as far as `custom_attributes` can hold it.
    struct EntitySummary {
        let id: String
        let kind: EntityKind
        let deviceClass: String?
        let state: String
        let unit: String?

        init(_ entity: Entity) {
            (id, kind, deviceClass) = (entity.id, entity.kind, entity.deviceClass)
            (state, unit) = (entity.state.value, entity.unit)
        }

        init(_ entity: EntityAnswer) {
            (id, kind, deviceClass) = (entity.entityID, entity.kind, entity.deviceClass)
            (state, unit) = (entity.state, entity.unitOfMeasurement)
        }

        var isKnown: Bool { state != "unknown" && state != "unavailable" }

        func reading(_ value: JSONValue) -> JSONValue { unit.map { ["value": value, "unit": .string($0)] } ?? ["value": value] }
    }

    /// `custom_attributes` of a device with these attributes of its own. Its own values take precedence over those of its entities.
    static func customAttributes(_ own: [String: JSONValue], _ parts: some Collection<EntitySummary>) -> [String: JSONValue] {
        own.merging(remainingReadings(parts)) { own, _ in own }
    }

    /// Readings that no other member of `current_state` holds, by entity: a meter's power and energy, a second thermometer.
    static func remainingReadings(_ parts: some Collection<EntitySummary>) -> [String: JSONValue] {
        var untold: [String: JSONValue] = [:]
        var held: Set<String> = []
        for part in parts where part.isKnown {
            switch part.kind {
            case .sensor:
                let number = Double(part.state).flatMap { $0.isFinite ? $0 : nil }
                if let measure = part.deviceClass, number != nil, isRepresented(measure, of: parts), held.insert(measure).inserted {
                    continue
                }
                untold[part.id] = part.reading(number.map(JSONValue.number) ?? .string(part.state))
            case .binarySensor:
                if let kind = part.deviceClass, openingClasses.contains(kind) || motionClasses.contains(kind) { continue }
                untold[part.id] = part.reading(.bool(part.state == "on"))
            case .valve, .alarm, .event: untold[part.id] = part.reading(.string(part.state))
            case .light, .switch, .climate, .cover, .fan, .lock, .media, .button, .image: break
            }
        }
        return untold
    }

    /// Returns whether the measure comes from the first sensor of its class. A thermostat's temperature takes precedence over every
    /// sensor's.
    private static func isRepresented(_ measure: String, of parts: some Collection<EntitySummary>) -> Bool {
        measure == "humidity" || (measure == "temperature" && !parts.contains { $0.kind == .climate && $0.isKnown })
    }

    /// Classes of binary sensors that say whether something is open, and whether something moves.
    private static let openingClasses: Set = ["door", "window", "garage_door", "opening"]
    private static let motionClasses: Set = ["motion", "occupancy"]

    /// Collects the entities' states one after the other. It is built anew with every change of a device.
    private struct SummaryBuilder {
        /// Bolts, those of which something is known, and those of these that are not locked.
        var lockCount = 0
        var knownLockCount = 0
        var unlockedCount = 0
        var openClosed: String?
        var motion: Bool?
        /// The state of the first light, of the first thing that is a device of its own, and of the first switch.
        var light: JSONValue?
        var other: JSONValue?
        var outlet: JSONValue?
        /// The state of the first switch that only configures the device.
        var configurationSwitch: JSONValue?
        var brightness: JSONValue?
        var color: JSONValue?
        var climate: JSONValue?
        var temperature: Double?
        var humidity: Double?

        mutating func add(_ entity: Entity, isIncidental: Bool) {
            let word = entity.state.value
            let isKnown = word != "unknown" && word != "unavailable"
            // A child lock is not a lock of the house.
            if entity.kind == .lock, !isIncidental {
                lockCount += 1
                if isKnown { knownLockCount += 1 }
                if isKnown, word != "locked" { unlockedCount += 1 }
            }
            guard isKnown else { return }
            switch entity.kind {
            case .cover: addOpening(opening: word)
            case .binarySensor: addBinarySensor(sensor: entity.deviceClass, isOn: word == "on")
            case .sensor: addSensor(sensor: entity.deviceClass, reading: word)
            case .light:
                light = light ?? .string(word)
                brightness = brightness ?? attribute("brightness", by: entity)
                color = color ?? attribute("color", by: entity)
            case .climate:
                other = other ?? .string(word == "off" ? "off" : "on")
                climate =
                    climate
                    ?? DeviceSummary.temperature(
                        current: entity.state.attributes["current_temperature"], target: entity.state.attributes["target_temperature"])
            case .fan: other = other ?? .string(word)
            case .media: other = other ?? .string(entity.state.isStandby ? EntityState.standby : word)
            case .switch:
                if entity.category == nil {
                    outlet = outlet ?? .string(word)
                } else {
                    configurationSwitch = configurationSwitch ?? .string(word)
                }
            default: break
            }
        }

        /// Only "locked" is locked: a jammed or moving bolt is not, and one bolt that is drawn is enough. With a bolt of unknown state the
        /// value is never `true`.
        var locked: JSONValue? { unlockedCount > 0 ? .bool(false) : knownLockCount > 0 && knownLockCount == lockCount ? .bool(true) : nil }

        /// A light's before everything else's, and a switch's last: beside a thermostat or a fan it is the child lock's or the display's.
        var power: JSONValue? { light ?? other ?? outlet ?? configurationSwitch }

        /// Open if anything is open; a moving part takes precedence over a closed one.
        private mutating func addOpening(opening word: String) {
            switch openClosed {
            case nil, "closed": openClosed = word
            case "open": break
            default: if word == "open" { openClosed = word }
            }
        }

        private mutating func addBinarySensor(sensor deviceClass: String?, isOn: Bool) {
            guard let deviceClass else { return }
            if DeviceSummary.openingClasses.contains(deviceClass) { addOpening(opening: isOn ? "open" : "closed") }
            if DeviceSummary.motionClasses.contains(deviceClass) { motion = motion == true || isOn }
        }

        /// Keeps the reading of the first sensor of a class.
        private mutating func addSensor(sensor deviceClass: String?, reading word: String) {
            switch deviceClass {
            case "temperature": temperature = temperature ?? Double(word).flatMap { $0.isFinite ? $0 : nil }
            case "humidity": humidity = humidity ?? Double(word).flatMap { $0.isFinite ? $0 : nil }
            default: break
            }
        }

        private func attribute(_ attribute: String, by entity: Entity) -> JSONValue? {
            entity.state.attributes[attribute].flatMap { $0 == .null ? nil : $0 }
        }
    }

    private static func temperature(current: JSONValue?, target: JSONValue?) -> JSONValue {
        .object(["current": current ?? .null, "target": target ?? .null, "unit": "°C"])
    }
}
