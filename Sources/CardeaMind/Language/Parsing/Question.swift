import CardeaModel

/// What a sentence was understood to ask.
public struct Question: Hashable, Sendable {
    public var intent: QueryIntent
    /// About which things of the house.
    public var subject = DeviceReference()
    /// About whose doing.
    public var actors: ActorFilter?
    /// About what time; nil for now, or for as long as anything is remembered.
    public var period: Period?
    /// While whom was where, in the place of a time.
    public var during: PresenceInterval?
}
