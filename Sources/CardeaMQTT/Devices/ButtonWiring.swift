import CardeaModel

/// A button, which never says anything (Home Assistant: MQTT button).
struct ButtonWiring: Wiring {
    let readings: [Reading] = []
    private let topic: String?
    private let payload: String

    init(_ fields: inout Fields) {
        topic = fields.target("command_topic", "command_template")
        payload = fields.text("payload_press", else: "PRESS")
    }

    var verbs: Set<Verb> { topic == nil ? [] : [.press] }

    func state(_ state: EntityState, after heard: Heard) -> EntityState? { nil }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, in state: EntityState) -> [Telegram]? {
        guard verb == .press, let topic else { return nil }
        return [Telegram(topic: topic, payload: payload)]
    }
}
