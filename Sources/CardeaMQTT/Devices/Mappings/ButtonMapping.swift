import CardeaModel

/// A button, which never says anything (Home Assistant: MQTT button).
struct ButtonMapping: EntityMapping {
    let stateTopics: [StateTopic] = []
    private let commandTopic: CommandTopic?
    private let payload: String

    init(_ fields: inout AnnouncementFields) {
        commandTopic = fields.commandTopic("command_topic", "command_template")
        payload = fields.text("payload_press", else: "PRESS")
    }

    var verbs: Set<Verb> { commandTopic == nil ? [] : [.press] }

    var commandTopics: Set<String> { Set([commandTopic].compactMap { $0?.topic }) }

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? { nil }

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    {
        guard verb == .press else { return nil }
        return commandTopic?.commandMessage(.text(payload)).map { [$0] }
    }
}
