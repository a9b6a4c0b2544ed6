import CardeaModel

/// A sensor (Home Assistant: MQTT sensor).
struct SensorWiring: Wiring {
    let verbs: Set<Verb> = []
    let commandTopics: Set<String> = []
    let readings: [Reading]
    let traits: Traits
    /// The unit the house uses, which may not be the device's.
    let unit: String?
    private let conversion: Units.Conversion?
    private let form: Form
    private let options: Set<String>
    private let lastReset: Reading?

    private enum Form: Sendable {
        case number, text, timestamp, date
    }

    init(_ fields: inout Fields) {
        readings = [fields.reading("state_topic", "value_template")].compactMap(\.self)
        let said = fields.text("unit_of_measurement")
        let deviceClass = fields.text("device_class")
        let stateClass = fields.text("state_class")
        let precision = fields.number("suggested_display_precision").flatMap { (0...20).contains($0) ? Int(exactly: $0) : nil }
        form =
            switch deviceClass {
            case "enum": .text
            case "timestamp": .timestamp
            case "date": .date
            case nil: said != nil || stateClass != nil || precision != nil ? .number : .text
            default: .number
            }
        options = Set(fields.texts("options"))
        lastReset = fields.has("last_reset_value_template") ? fields.reading("state_topic", "last_reset_value_template") : nil
        conversion = said.flatMap { Units.conversion(from: $0, deviceClass: deviceClass) }
        unit = conversion?.unit ?? said.map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 }
        traits = Traits([
            "state_class": stateClass.map { .string(String($0.prefix(32))) },
            "suggested_display_precision": precision.map { .number(Double($0)) },
            "options": Traits.list(Array(fields.texts("options").prefix(256)).map { String($0.prefix(255)) }),
        ])
    }

    func next(_ state: EntityState, after heard: Heard) -> EntityState? {
        let value = readings.first?.strictText(in: heard).flatMap(house)
        let reset = lastReset?.text(in: heard).flatMap(Timestamp.init)
        guard value != nil || reset != nil else { return nil }
        var next = state
        if let value { next.value = value }
        if let reset {
            // Set apart, so that an unchanged announcement costs nothing.
            next.attributes["last_reset"] = nil
            traits.apply(to: &next.attributes)
            next.attributes["last_reset"] = .string(reset.text)
        } else if lastReset == nil {
            traits.apply(to: &next.attributes)
        }
        return next
    }

    private static let unknowns: Set = [Words.none, "unknown", "unavailable"]

    /// The house's value of a text; nil where the sensor keeps its last one.
    private func house(_ text: String) -> String? {
        if Self.unknowns.contains(text) { return "unknown" }
        switch form {
        case .number:
            guard let number = PythonNumber.float(text) else { return nil }
            guard number.isFinite else { return "unknown" }
            guard let conversion else { return String(text.prefix(255)) }
            return Text.write(Text.round(conversion.apply(number), 4))
        case .text:
            if !options.isEmpty, !options.contains(text) { return nil }
            // An empty text ends a press: the next one is a new one.
            return text.isEmpty || text.unicodeScalars.count > 255 ? "unknown" : text
        case .timestamp:
            guard let time = Timestamp(text) else { return "unknown" }
            return time.universal
        case .date: return Timestamp(text)?.date ?? "unknown"
        }
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [Telegram]? { nil }
}
