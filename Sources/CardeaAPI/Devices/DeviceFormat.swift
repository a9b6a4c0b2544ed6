import CardeaModel

/// The form in which devices are encoded.
public enum DeviceFormat: Hashable, Sendable {
    /// The house's own, of docs/protocol.md.
    case house
    /// The same members with those of the source contract's `DeviceDTO` beside them (Seed 004), and `current_state` as its `DeviceState`.
    case source

    /// The type that `Accept` names, and `Content-Type` says.
    public var mediaType: String {
        switch self {
        case .house: "application/json"
        case .source: "application/vnd.c11s.v1+json"
        }
    }
}

/// `current_state` as the source contract's `DeviceState` has it: each member of its type, and null if that cannot be.
enum SourceDeviceState {
    /// - Parameter summary: the members of `DeviceSummary` that are known.
    static func typed(_ summary: [String: JSONValue]) -> [String: JSONValue] {
        var state = summary
        state["power"] = summary["power"]?.string.map { word in
            ["off", EntityState.standby].contains(word) ? .string(word) : "on"
        }
        state["brightness"] = summary["brightness"]?.number.map { .number(bounded($0, 0...100).rounded()) }
        state["color"] = summary["color"].flatMap(color)
        state["temperature"] = summary["temperature"].flatMap(temperature)
        // A shutter that stopped on its way is open.
        state["open_closed"] = summary["open_closed"]?.string.map { word in
            ["closed", "opening", "closing"].contains(word) ? .string(word) : "open"
        }
        return state
    }

    private static func color(_ reported: JSONValue) -> JSONValue? {
        guard case .object(var color) = reported else { return nil }
        color["hue"] = .number(bounded(reported["hue"]?.number ?? 0, 0...360))
        color["saturation"] = .number(bounded(reported["saturation"]?.number ?? 0, 0...100))
        color["temperature"] = reported["temperature"]?.number.map { .number(bounded($0, 0...100_000).rounded()) }
        return .object(color)
    }

    /// A temperature that is not measured is left out, even if there is a target.
    private static func temperature(_ reported: JSONValue) -> JSONValue? {
        guard let current = reported["current"]?.number else { return nil }
        let target = reported["target"]?.number.map(JSONValue.number) ?? .null
        return ["current": .number(current), "target": target, "unit": reported["unit"] == "°F" ? "fahrenheit" : "celsius"]
    }

    private static func bounded(_ number: Double, _ range: ClosedRange<Double>) -> Double {
        min(max(number, range.lowerBound), range.upperBound)
    }
}

// MARK: Schemas

/// `current_state` in the second form.
public enum DeviceStateDTO: SchemaRepresentable {
    public static let schema = Schema.answer([
        "power": .enumeration(["on", "off", "standby"]).orNull, "brightness": .integer(0...100).orNull,
        "color": Schema.answer(
            ["hue": .number(0...360), "saturation": .number(0...100).about("0, like hue, for a white lamp")],
            optional: ["temperature": .integer(from: 0).about("Kelvin"), "white": .number(0...100)]
        ).orNull,
        "temperature": Schema.answer([
            "current": .number(), "target": .number().orNull, "unit": .enumeration(["celsius", "fahrenheit"]),
        ]).orNull,
        "humidity": .number().orNull, "motion": .boolean.orNull,
        "open_closed": .enumeration(["open", "closed", "opening", "closing"]).orNull,
        "locked": .boolean.orNull,
        "custom_attributes": .map().about("The device's own state, and by entity `{value, unit?}` for values that no other member holds"),
    ])
}

/// A device in the source contract's members alone, as the demo and realtime after `init` tell it.
public enum DeviceDTO: SchemaRepresentable {
    public static let schema = Schema.answer([
        "id": .deviceID, "user_name": .text(example: "Front door"), "user_description": .text().orNull,
        "location": .text(example: "Hall").orNull.about("The room's name"), "device_class": .enumeration(DeviceClass.self),
        "status": .enumeration(DeviceStatus.self), "current_state": .of(DeviceStateDTO.self), "supported_features": .list(of: .text()),
        "capabilities": .map(),
    ])
}

/// `GET /api/v1/devices/{id}` in the second form.
public enum SourceDeviceAnswer: SchemaRepresentable {
    public static let schema = Schema.both(.of(DeviceAnswer.self), .of(DeviceDTO.self))
}

/// `GET /api/v1/devices` in the second form.
public enum SourceDevicesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "devices": .list(of: .of(SourceDeviceAnswer.self)), "total": .integer().about("Number of all matches, independent of the page"),
        "filters_applied": .map(of: .text()),
    ])
}
