import CardeaModel

/// Something that happens, such as a press (Home Assistant: MQTT event). Its state is the time of the last event.
struct EventMapping: EntityMapping {
    let verbs: Set<Verb> = []
    let commandTopics: Set<String> = []
    let stateTopics: [StateTopic]
    let staticAttributes: StaticAttributes
    private let types: Set<String>

    /// Bytes and members of an event beyond which only its type is kept.
    private static let textLimit = 4096, memberLimit = 32

    init(_ fields: inout AnnouncementFields) {
        stateTopics = [fields.stateTopic("state_topic", "value_template")].compactMap(\.self)
        let types = fields.texts("event_types")
        self.types = Set(types)
        staticAttributes = StaticAttributes(["event_types": StaticAttributes.list(types)])
        if types.isEmpty { fields.addNotice("This event has no event_types, so no event of it is known: add them on the device.") }
    }

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        // A message that the broker kept is no new event.
        guard !message.isRetained, let text = stateTopics.first?.strictText(in: message), !text.isEmpty, text != StateVocabulary.none,
            case .object(var members)? = JSONValue.read(Array(text.utf8)),
            let type = PayloadText.write(members.removeValue(forKey: "event_type")),
            types.contains(type)
        else { return nil }
        var attributes = text.utf8.count <= Self.textLimit && members.count <= Self.memberLimit ? members : [:]
        staticAttributes.apply(to: &attributes)
        attributes["event_type"] = .string(type)
        return EntityState(Timestamp.text(of: message.at), attributes: attributes)
    }

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    { nil }
}
