import CardeaModel

/// A state of one entity as Home Assistant reports it, with attributes.
struct StateReport: Hashable, Sendable {
    let entityID: String
    let kind: EntityKind
    var value: String
    var attributes: [String: JSONValue]

    /// Reads a state object; nil for a kind that the house does not have.
    init?(_ json: JSONValue) {
        guard let entityID = json["entity_id"]?.string, let kind = Self.kind(of: entityID), let value = json["state"]?.string else {
            return nil
        }
        self.entityID = entityID
        self.kind = kind
        self.value = String(value.unicodeScalars.prefix(255))
        if case .object(let attributes)? = json["attributes"] { self.attributes = Self.bounded(attributes) } else { attributes = [:] }
    }

    /// The attributes that are read, each limited in size: an integration may write megabytes.
    private static func bounded(_ attributes: [String: JSONValue]) -> [String: JSONValue] {
        var bounded: [String: JSONValue] = [:]
        for name in attributesRead {
            switch attributes[name] {
            case .string(let text)?: bounded[name] = .string(String(text.unicodeScalars.prefix(textLimit)))
            case .array(let members)?:
                bounded[name] = .array(
                    members.prefix(memberLimit).filter { member in
                        switch member {
                        case .string(let text): text.utf8.count <= textLimit
                        case .number: true
                        default: false
                        }
                    })
            case .number(let number)?: bounded[name] = .number(number)
            case .bool(let bool)?: bounded[name] = .bool(bool)
            default: break
            }
        }
        return bounded
    }

    /// Unicode scalars of a text that are kept.
    static let textLimit = 1024
    static let memberLimit = 256

    /// Every attribute that a wiring reads.
    private static let attributesRead = descriptiveAttributes.union([
        "brightness", "color_mode", "color_temp_kelvin", "hs_color", "min_color_temp_kelvin", "max_color_temp_kelvin", "min_mireds",
        "max_mireds", "temperature", "current_temperature", "hvac_action", "min_temp", "max_temp", "current_position",
        "current_tilt_position", "percentage", "volume_level",
    ])

    /// The kind, by the first half of an id such as `lock.front_door`; nil for kinds that are not mirrored.
    static func kind(of entityID: String) -> EntityKind? {
        isEntityID(entityID) ? kinds[String(entityID.prefix { $0 != "." })] : nil
    }

    /// Returns whether the text has the form of an entity id: two words with a dot between them, at most 255 bytes.
    static func isEntityID(_ entityID: String) -> Bool {
        let parts = entityID.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && entityID.utf8.count <= 255
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy {
                        ("a"..."z").contains(UnicodeScalar($0)) || ("0"..."9").contains(UnicodeScalar($0)) || $0 == UInt8(ascii: "_")
                    }
            }
    }

    private static let kinds: [String: EntityKind] = [
        "lock": .lock, "cover": .cover, "light": .light, "switch": .switch, "climate": .climate, "fan": .fan, "media_player": .media,
        "sensor": .sensor, "binary_sensor": .binarySensor, "button": .button,
    ]

    var isUnavailable: Bool { value == "unavailable" }

    func text(_ name: String) -> String? { attributes[name]?.string }

    func number(_ name: String) -> Double? {
        guard let number = attributes[name]?.number, number.magnitude <= Self.numberLimit else { return nil }
        return number
    }

    /// A percentage; nil if it is out of 0 to 100.
    func percentage(_ name: String) -> Double? { number(name).flatMap { (0...100).contains($0) ? $0 : nil } }

    /// Larger than anything that is measured at home.
    static let numberLimit = 1e9

    func texts(_ name: String) -> Set<String> {
        guard case .array(let values)? = attributes[name] else { return [] }
        return Set(values.compactMap(\.string))
    }

    /// Returns whether the entity claims the feature with this bit.
    func hasFeature(_ feature: Int) -> Bool {
        number("supported_features").flatMap { Int(exactly: $0) }.map { $0 & feature != 0 } ?? false
    }

    /// The attributes that describe the entity, as opposed to its state.
    var description: [String: JSONValue] {
        attributes.filter { Self.descriptiveAttributes.contains($0.key) }
    }

    private static let descriptiveAttributes: Set = [
        "friendly_name", "supported_features", "supported_color_modes", "hvac_modes", "device_class", "unit_of_measurement", "code_format",
        "icon", "assumed_state",
    ]

    /// This report, merged with the known `earlier` one: an unavailable entity keeps its description.
    func merged(_ earlier: StateReport?) -> StateReport {
        guard isUnavailable, let earlier else { return self }
        var report = self
        report.attributes = earlier.attributes
        return report
    }
}

extension Double {
    /// Rounded to `places` decimals.
    func rounded(to places: Int) -> Double {
        guard (0...9).contains(places), magnitude < 1e15 else { return self }
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
