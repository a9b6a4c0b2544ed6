import CardeaModel

/// A sensor (Home Assistant: MQTT sensor).
struct SensorWiring: Wiring {
    let verbs: Set<Verb> = []
    let readings: [Reading]
    /// The unit the house uses, which may not be the device's.
    let unit: String?
    private let conversion: Units.Conversion?
    /// A sensor of numbers: what is none says nothing.
    private let isNumeric: Bool

    init(_ fields: inout Fields) {
        readings = [fields.reading("state_topic", "value_template")].compactMap(\.self)
        let said = fields.text("unit_of_measurement")
        isNumeric = said != nil || fields.has("state_class")
        conversion = said.flatMap { Units.conversion(from: $0, deviceClass: fields.text("device_class")) }
        unit = conversion?.unit ?? said.map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 }
    }

    func state(_ state: EntityState, after heard: Heard) -> EntityState? {
        guard let text = readings.lazy.compactMap({ $0.text(in: heard) }).first else { return nil }
        let isUnknown = ["None", "unknown", "unavailable"].contains(text) || isNumeric && Text.isNoNumber(text)
        if isUnknown { return EntityState("unknown", attributes: state.attributes) }
        if let conversion {
            guard let number = Text.number(text) else { return nil }
            return EntityState(Text.write(Text.round(conversion.apply(number), 4)), attributes: state.attributes)
        }
        return EntityState(String(text.prefix(255)), attributes: state.attributes)
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, in state: EntityState) -> [Telegram]? { nil }
}
