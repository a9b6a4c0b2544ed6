import CardeaModel

/// The rules by which a value equals Home Assistant's. `compare.py` has the same rules.
enum DeviceValueComparison {
    /// Attributes that both have, by kind. An event's attributes are all those of the event.
    private static let names: [EntityKind: Set<String>] = [
        .cover: ["position", "tilt"], .valve: ["position"], .lock: ["code_format"], .alarm: ["supported_modes", "code_required"],
        .fan: ["percentage", "preset_mode", "preset_modes", "direction", "oscillating"],
        .climate: [
            "target_temperature", "target_temperature_low", "target_temperature_high", "current_temperature", "action", "hvac_modes",
            "preset_mode", "preset_modes",
        ],
        .sensor: ["state_class", "options", "last_reset", "suggested_display_precision"],
        .light: ["supported_color_modes", "effect_list", "brightness", "effect", "color"],
    ]
    /// Attributes that Home Assistant drops for a light that is off; the house keeps their last values.
    private static let ofLitLights: Set = ["brightness", "effect", "color"]

    /// Tolerances of numbers: levels go to 255 in Home Assistant and are percent in the house, hues have one decimal here, and Home
    /// Assistant rounds a thermostat's measured temperature to tenths.
    private static let slack = ["brightness": 0.25, "white": 0.25, "hue": 0.06, "saturation": 0.06, "current_temperature": 0.06]

    static func compared(
        _ kind: EntityKind, isOn: Bool, _ own: [String: JSONValue], _ wanted: [String: JSONValue]
    ) -> [String] {
        let all = kind == .event ? Set(own.keys).union(wanted.keys) : names[kind] ?? []
        return (kind == .light && !isOn ? all.subtracting(ofLitLights) : all).sorted()
    }

    /// - Parameter isConverted: the house or Home Assistant uses a different unit, and Home Assistant rounds to the device's
    /// digits.
    static func isSame(_ one: String, _ other: String, isConverted: Bool) -> Bool {
        if one == other { return true }
        guard isConverted, let first = Double(one), let second = Double(other) else { return false }
        var step = 1.0
        for _ in other.split(separator: ".").dropFirst().joined() { step /= 10 }
        return abs(first - second) <= step / 2 + 0.0001
    }

    static func isSame(_ one: JSONValue?, _ other: JSONValue?, named name: String, within tolerance: Double) -> Bool {
        // A device that has reported no preset yet has none.
        if name == "preset_mode" { return (one ?? "none") == (other ?? "none") }
        if name == "code_required" { return (one ?? false) == (other ?? false) }
        return switch (one, other) {
        case (.null?, nil): true
        case (.number(let first)?, .number(let second)?):
            abs(first - second) <= max(slack[name] ?? 0.0001, tolerance)
        case (.object(let first)?, .object(let second)?) where name == "color":
            first.keys == second.keys && first.allSatisfy { isSame($1, second[$0], named: $0, within: tolerance) }
        default: one == other
        }
    }

    static func text(_ value: JSONValue?) -> String {
        switch value {
        case nil: "none"
        case .string(let text)?: text
        case .number(let number)?: "\(number)"
        case let other?: "\(other)"
        }
    }
}
