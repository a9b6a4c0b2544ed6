import CardeaModel

/// A switch (Home Assistant: MQTT switch).
struct SwitchMapping: EntityMapping {
    private let power: OnOffTopics

    init(_ fields: inout AnnouncementFields) {
        power = OnOffTopics(&fields, stateTemplate: "value_template", commandTemplate: "command_template", hasStateWords: true)
    }

    var verbs: Set<Verb> { power.commandTopic == nil ? [] : [.on, .off] }
    var stateTopics: [StateTopic] { [power.stateTopic].compactMap(\.self) }

    var commandTopics: Set<String> { Set([power.commandTopic].compactMap { $0?.topic }) }

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        power.word(in: message).map { EntityState($0, attributes: state.attributes) }
    }

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    {
        power.commandMessage(for: verb).map { [$0] }
    }
}

/// The topics and words of everything that is on or off.
struct OnOffTopics: Hashable, Sendable {
    let commandTopic: CommandTopic?
    let stateTopic: StateTopic?
    private let on: String
    private let off: String
    private let vocabulary: StateVocabulary

    /// - Parameters:
    ///   - stateTemplate: the member with the template of the state.
    ///   - commandTemplate: the member with the template of the command; nil if the command has none.
    ///   - hasStateWords: true if the state may have other words than the command.
    init(_ fields: inout AnnouncementFields, stateTemplate: String, commandTemplate: String?, hasStateWords: Bool) {
        commandTopic = commandTemplate.map { fields.commandTopic("command_topic", $0) } ?? fields.commandTopic("command_topic")
        stateTopic = fields.stateTopic("state_topic", stateTemplate)
        on = fields.text("payload_on", else: "ON")
        off = fields.text("payload_off", else: "OFF")
        func word(_ key: String) -> String? { hasStateWords ? fields.text(key).flatMap { $0.isEmpty ? nil : $0 } : nil }
        vocabulary = StateVocabulary([(word("state_on") ?? on, "on"), (word("state_off") ?? off, "off")])
    }

    /// `on`, `off` or `unknown`; nil if the message does not say.
    func word(in message: IncomingMessage) -> String? { stateTopic?.text(in: message).flatMap(vocabulary.meaning) }

    func commandMessage(for verb: Verb) -> CommandMessage? {
        switch verb {
        case .on: commandTopic?.commandMessage(.text(on))
        case .off: commandTopic?.commandMessage(.text(off))
        default: nil
        }
    }
}
