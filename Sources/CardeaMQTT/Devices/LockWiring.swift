import CardeaModel

/// A lock (Home Assistant: MQTT lock).
struct LockWiring: Wiring {
    let verbs: Set<Verb>
    let readings: [Reading]
    private let target: Target?
    private let payloads: [Verb: String]
    private let words: Words

    init(_ fields: inout Fields) {
        target = fields.target("command_topic", "command_template")
        readings = [fields.reading("state_topic", "value_template")].compactMap(\.self)
        var payloads: [Verb: String] = [:]
        if target != nil {
            payloads[.lock] = fields.text("payload_lock", else: "LOCK")
            if fields.has("code_format") {
                fields.note("This lock wants a code with every opening, and codes are not sent.")
            } else {
                payloads[.unlock] = fields.text("payload_unlock", else: "UNLOCK")
                payloads[.open] = fields.text("payload_open")
            }
        }
        self.payloads = payloads
        verbs = Set(payloads.keys)
        words = Words(
            [
                (fields.text("state_locked", else: "LOCKED"), "locked"),
                (fields.text("state_unlocked", else: "UNLOCKED"), "unlocked"),
                (fields.text("state_locking", else: "LOCKING"), "locking"),
                (fields.text("state_unlocking", else: "UNLOCKING"), "unlocking"),
                (fields.text("state_jammed", else: "JAMMED"), "jammed"),
                (fields.text("state_open", else: "OPEN"), "open"),
                (fields.text("state_opening", else: "OPENING"), "opening"),
            ], reset: fields.text("payload_reset"))
    }

    func state(_ state: EntityState, after heard: Heard) -> EntityState? {
        readings.lazy.compactMap { $0.text(in: heard).flatMap(words.meaning) }.first
            .map { EntityState($0, attributes: state.attributes) }
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, in state: EntityState) -> [Telegram]? {
        payloads[verb].flatMap { target?.telegram(.string($0)) }.map { [$0] }
    }
}
