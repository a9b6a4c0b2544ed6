import CardeaModel

/// A sensor (Home Assistant: MQTT sensor).
struct SensorMapping: EntityMapping {
    let verbs: Set<Verb> = []
    let commandTopics: Set<String> = []
    let stateTopics: [StateTopic]
    let staticAttributes: StaticAttributes
    /// The unit the house uses, which may not be the device's.
    let unit: String?
    private let conversion: UnitConversion.Factor?
    private let valueType: ValueType
    private let options: Set<String>
    private let lastResetTopic: StateTopic?

    private enum ValueType: Sendable {
        case number, text, timestamp, date
    }

    init(_ fields: inout AnnouncementFields) {
        stateTopics = [fields.stateTopic("state_topic", "value_template")].compactMap(\.self)
        let said = fields.text("unit_of_measurement")
        let deviceClass = fields.text("device_class")
        let stateClass = fields.text("state_class")
        let precision = fields.number("suggested_display_precision").flatMap { (0...20).contains($0) ? Int(exactly: $0) : nil }
        valueType =
            switch deviceClass {
            case "enum": .text
            case "timestamp": .timestamp
            case "date": .date
            case nil: said != nil || stateClass != nil || precision != nil ? .number : .text
            default: .number
            }
        options = Set(fields.texts("options"))
        lastResetTopic = fields.has("last_reset_value_template") ? fields.stateTopic("state_topic", "last_reset_value_template") : nil
        conversion = said.flatMap { UnitConversion.conversion(from: $0, deviceClass: deviceClass) }
        unit = conversion?.unit ?? said.map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 }
        staticAttributes = StaticAttributes([
            "state_class": stateClass.map { .string(String($0.prefix(32))) },
            "suggested_display_precision": precision.map { .number(Double($0)) },
            "options": StaticAttributes.list(Array(fields.texts("options").prefix(256)).map { String($0.prefix(255)) }),
        ])
    }

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        let value = stateTopics.first?.strictText(in: message).flatMap(houseValue)
        let reset = lastResetTopic?.text(in: message).flatMap(Timestamp.init)
        guard value != nil || reset != nil else { return nil }
        var next = state
        if let value { next.value = value }
        if let reset {
            // Kept separate, so that an unchanged announcement costs nothing.
            next.attributes["last_reset"] = nil
            staticAttributes.apply(to: &next.attributes)
            next.attributes["last_reset"] = .string(reset.text)
        } else if lastResetTopic == nil {
            staticAttributes.apply(to: &next.attributes)
        }
        return next
    }

    private static let unknowns: Set = [StateVocabulary.none, "unknown", "unavailable"]

    /// The house's value of a text; nil if the sensor keeps its last one.
    private func houseValue(_ text: String) -> String? {
        if Self.unknowns.contains(text) { return "unknown" }
        switch valueType {
        case .number:
            guard let number = PythonNumber.float(text) else { return nil }
            guard number.isFinite else { return "unknown" }
            guard let conversion else { return String(text.prefix(255)) }
            return PayloadText.write(PayloadText.round(conversion.apply(number), 4))
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

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    { nil }
}
