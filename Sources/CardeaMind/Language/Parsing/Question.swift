import CardeaModel

/// A sentence, understood as a question.
public struct Question: Hashable, Sendable {
    public var intent: QueryIntent
    /// The things that are asked about.
    public var subject = DeviceReference()
    /// The actors that are asked about.
    public var actors: ActorFilter?
    /// The period that is asked about; nil for now, or for as far back as the record goes.
    public var period: Period?
    /// The presence of a person, used as the period.
    public var during: PresenceReference?
}
