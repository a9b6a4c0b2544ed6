import CardeaModel

/// A sensor that says yes or no (Home Assistant: MQTT binary sensor).
struct BinarySensorWiring: Wiring {
    let verbs: Set<Verb> = []
    let commandTopics: Set<String> = []
    let readings: [Reading]
    private let words: Words
    /// Seconds after which “on” is over; nil where the sensor says so itself.
    private let offDelay: Double?

    init(_ fields: inout Fields) {
        readings = [fields.reading("state_topic", "value_template")].compactMap(\.self)
        words = Words([(fields.text("payload_on", else: "ON"), "on"), (fields.text("payload_off", else: "OFF"), "off")])
        offDelay = fields.number("off_delay").flatMap { $0 >= 0 && $0 <= 1e9 ? $0 : nil }
    }

    func next(_ state: EntityState, after heard: Heard) -> EntityState? {
        readings.lazy.compactMap { $0.text(in: heard).flatMap(words.meaning) }.first
            .map { EntityState($0, attributes: state.attributes) }
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [Telegram]? { nil }

    func relapse(of state: EntityState) -> Relapse? {
        guard state.value == "on", let offDelay else { return nil }
        return Relapse(seconds: offDelay, value: "off")
    }
}
