import CardeaModel

/// A trigger of a device, such as the short press of one of its buttons (Home Assistant: MQTT device trigger). It is shown as an event.
struct DeviceTriggerMapping: EntityMapping {
    let verbs: Set<Verb> = []
    let commandTopics: Set<String> = []
    let stateTopics: [StateTopic]
    let staticAttributes: StaticAttributes
    let impliedName: String?
    private let type: String
    /// Nil if any message is the trigger.
    private let payload: String?

    init(_ fields: inout AnnouncementFields) {
        stateTopics = [fields.stateTopic("topic", "value_template")].compactMap(\.self)
        type = String([fields.text("type"), fields.text("subtype")].compactMap(\.self).joined(separator: " ").prefix(128))
        payload = fields.text("payload").flatMap { $0.isEmpty ? nil : $0 }
        impliedName = type.isEmpty ? nil : Name.cleaned(type, else: "Trigger")
        staticAttributes = StaticAttributes(["event_types": StaticAttributes.list([type])])
    }

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        guard !message.isRetained, let reading = stateTopics.first, reading.topic == message.topic else { return nil }
        if let payload, reading.strictText(in: message) != payload { return nil }
        var attributes: [String: JSONValue] = [:]
        staticAttributes.apply(to: &attributes)
        attributes["event_type"] = .string(type)
        return EntityState(Timestamp.text(of: message.at), attributes: attributes)
    }

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    { nil }
}
