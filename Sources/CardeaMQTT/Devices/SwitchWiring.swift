import CardeaModel

/// A switch (Home Assistant: MQTT switch).
struct SwitchWiring: Wiring {
    private let plug: OnOff

    init(_ fields: inout Fields) {
        plug = OnOff(&fields, stateTemplates: "value_template")
    }

    var verbs: Set<Verb> { plug.target == nil ? [] : [.on, .off] }
    var readings: [Reading] { [plug.reading].compactMap(\.self) }

    func state(_ state: EntityState, after heard: Heard) -> EntityState? { plug.state(state, after: heard) }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, in state: EntityState) -> [Telegram]? {
        plug.telegram(for: verb).map { [$0] }
    }
}

/// What everything that is on or off has in common.
struct OnOff: Hashable, Sendable {
    let target: Target?
    let reading: Reading?
    private let on: String
    private let off: String
    private let words: Words

    init(_ fields: inout Fields, stateTemplates: String...) {
        target = fields.target("command_topic", "command_template")
        if let first = stateTemplates.first, let last = stateTemplates.last {
            reading = fields.reading("state_topic", first, last)
        } else {
            reading = fields.reading("state_topic")
        }
        on = fields.text("payload_on", else: "ON")
        off = fields.text("payload_off", else: "OFF")
        words = Words([(fields.text("state_on") ?? on, "on"), (fields.text("state_off") ?? off, "off")])
    }

    func state(_ state: EntityState, after heard: Heard) -> EntityState? {
        reading?.text(in: heard).flatMap(words.meaning).map { EntityState($0, attributes: state.attributes) }
    }

    func telegram(for verb: Verb) -> Telegram? {
        switch verb {
        case .on: target?.telegram(.string(on))
        case .off: target?.telegram(.string(off))
        default: nil
        }
    }
}
