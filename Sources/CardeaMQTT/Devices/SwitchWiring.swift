import CardeaModel

/// A switch (Home Assistant: MQTT switch).
struct SwitchWiring: Wiring {
    private let plug: OnOff

    init(_ fields: inout Fields) {
        plug = OnOff(&fields, stateTemplate: "value_template", commandTemplate: "command_template", hasStateWords: true)
    }

    var verbs: Set<Verb> { plug.target == nil ? [] : [.on, .off] }
    var readings: [Reading] { [plug.reading].compactMap(\.self) }

    var commandTopics: Set<String> { Set([plug.target].compactMap { $0?.topic }) }

    func next(_ state: EntityState, after heard: Heard) -> EntityState? {
        plug.word(in: heard).map { EntityState($0, attributes: state.attributes) }
    }

    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [Telegram]? {
        plug.telegram(for: verb).map { [$0] }
    }
}

/// The topics and words of everything that is on or off.
struct OnOff: Hashable, Sendable {
    let target: Target?
    let reading: Reading?
    private let on: String
    private let off: String
    private let words: Words

    /// - Parameters:
    ///   - stateTemplate: the member with the template of the state.
    ///   - commandTemplate: the member with the template of the command; nil where the command is sent as it is.
    ///   - hasStateWords: the state may have other words than the command.
    init(_ fields: inout Fields, stateTemplate: String, commandTemplate: String?, hasStateWords: Bool) {
        target = commandTemplate.map { fields.target("command_topic", $0) } ?? fields.target("command_topic")
        reading = fields.reading("state_topic", stateTemplate)
        on = fields.text("payload_on", else: "ON")
        off = fields.text("payload_off", else: "OFF")
        func word(_ key: String) -> String? { hasStateWords ? fields.text(key).flatMap { $0.isEmpty ? nil : $0 } : nil }
        words = Words([(word("state_on") ?? on, "on"), (word("state_off") ?? off, "off")])
    }

    /// `on`, `off` or `unknown`; nil where the message does not say.
    func word(in heard: Heard) -> String? { reading?.text(in: heard).flatMap(words.meaning) }

    func telegram(for verb: Verb) -> Telegram? {
        switch verb {
        case .on: target?.telegram(.text(on))
        case .off: target?.telegram(.text(off))
        default: nil
        }
    }
}
