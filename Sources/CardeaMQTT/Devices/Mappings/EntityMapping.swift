import CardeaModel

/// The mapping of one entity to topics: its states and its commands. Pure, with no connection.
protocol EntityMapping: Sendable {
    /// The verbs that its topics allow.
    var verbs: Set<Verb> { get }
    /// The topics that it listens to, and how they are read.
    var stateTopics: [StateTopic] { get }
    /// The command topics; none for an entity that only reports.
    var commandTopics: Set<String> { get }
    /// The attributes from its announcement, which no message changes.
    var staticAttributes: StaticAttributes { get }
    /// The state before the first message.
    var initialState: EntityState { get }
    /// Returns the state after `heard`; nil if the message is not about this entity. Called by `state(_:after:)`.
    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState?
    /// The messages for `verb`, or nil when this device does not take it, or only with a code that is missing or wrong.
    ///
    /// - Parameter code: the code that the household stored for this entity.
    func commandMessages(
        for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState
    ) -> [CommandMessage]?
    /// True if the device reports the outcome of `verb`.
    func reports(_ verb: Verb) -> Bool
    /// The device wants a code with `verb`.
    func needsCode(_ verb: Verb) -> Bool
    /// The value that the device means after a while, without saying so; nil if it means `state` until it says something else.
    func delayedReset(of state: EntityState) -> DelayedReset?
    /// The topic of its picture; nil for what shows none.
    var picture: PictureTopic? { get }
    /// Its name if the announcement has none; nil for an entity named by its class or its device.
    var impliedName: String? { get }
}

extension EntityMapping {
    var staticAttributes: StaticAttributes { StaticAttributes() }
    var picture: PictureTopic? { nil }
    var impliedName: String? { nil }
    var initialState: EntityState { EntityState(attributes: staticAttributes.values) }

    /// Returns the state after `heard`; nil if the message is not about this entity.
    func state(_ state: EntityState, after message: IncomingMessage) -> EntityState? {
        message.entity = state
        return next(state, after: message)
    }

    func reports(_ verb: Verb) -> Bool { !stateTopics.isEmpty }
    func needsCode(_ verb: Verb) -> Bool { false }
    func delayedReset(of state: EntityState) -> DelayedReset? { nil }

    /// The messages without a code.
    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, in state: EntityState) -> [CommandMessage]? {
        commandMessages(for: verb, value: value, transition: transition, code: nil, in: state)
    }
}

/// A value that ends by itself.
struct DelayedReset: Hashable, Sendable {
    /// From the message on.
    let seconds: Double
    /// The state then.
    let value: String
}
