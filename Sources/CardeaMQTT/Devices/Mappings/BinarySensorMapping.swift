import CardeaModel

/// A sensor with two states (Home Assistant: MQTT binary sensor).
struct BinarySensorMapping: EntityMapping {
    let verbs: Set<Verb> = []
    let commandTopics: Set<String> = []
    let stateTopics: [StateTopic]
    private let vocabulary: StateVocabulary
    /// Seconds after which “on” is over; nil if the sensor says so itself.
    private let offDelay: Double?

    init(_ fields: inout AnnouncementFields) {
        stateTopics = [fields.stateTopic("state_topic", "value_template")].compactMap(\.self)
        vocabulary = StateVocabulary([(fields.text("payload_on", else: "ON"), "on"), (fields.text("payload_off", else: "OFF"), "off")])
        offDelay = fields.number("off_delay").flatMap { $0 >= 0 && $0 <= 1e9 ? $0 : nil }
    }

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        stateTopics.lazy.compactMap { $0.text(in: message).flatMap(vocabulary.meaning) }.first
            .map { EntityState($0, attributes: state.attributes) }
    }

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    { nil }

    func delayedReset(of state: EntityState) -> DelayedReset? {
        guard state.value == "on", let offDelay else { return nil }
        return DelayedReset(seconds: offDelay, value: "off")
    }
}
