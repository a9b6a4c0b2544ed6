import CardeaModel

/// The mapping of an entity that is known by name only: it has no state and takes no commands.
struct EmptyMapping: EntityMapping {
    let verbs: Set<Verb> = []
    let commandTopics: Set<String> = []
    let stateTopics: [StateTopic] = []

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? { nil }

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    { nil }
}
