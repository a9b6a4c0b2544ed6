import CardeaModel

/// A sensor that says yes or no (Home Assistant: MQTT binary sensor).
struct BinarySensorWiring: Wiring {
    let verbs: Set<Verb> = []
    let readings: [Reading]
    private let words: Words

    init(_ fields: inout Fields) {
        readings = [fields.reading("state_topic", "value_template")].compactMap(\.self)
        words = Words([(fields.text("payload_on", else: "ON"), "on"), (fields.text("payload_off", else: "OFF"), "off")])
        if fields.has("off_delay") {
            fields.note("This sensor never says “off” itself (off_delay), so “on” is only the time it was last heard.")
        }
    }

    func state(_ state: EntityState, after heard: Heard) -> EntityState? {
        readings.lazy.compactMap { $0.text(in: heard).flatMap(words.meaning) }.first
            .map { EntityState($0, attributes: state.attributes) }
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, in state: EntityState) -> [Telegram]? { nil }
}
