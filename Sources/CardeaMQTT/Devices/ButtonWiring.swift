import CardeaModel

/// A button, which never says anything (Home Assistant: MQTT button).
struct ButtonWiring: Wiring {
    let readings: [Reading] = []
    private let target: Target?
    private let payload: String

    init(_ fields: inout Fields) {
        target = fields.target("command_topic", "command_template")
        payload = fields.text("payload_press", else: "PRESS")
    }

    var verbs: Set<Verb> { target == nil ? [] : [.press] }

    var commandTopics: Set<String> { Set([target].compactMap { $0?.topic }) }

    func next(_ state: EntityState, after heard: Heard) -> EntityState? { nil }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [Telegram]? {
        guard verb == .press else { return nil }
        return target?.telegram(.text(payload)).map { [$0] }
    }
}
