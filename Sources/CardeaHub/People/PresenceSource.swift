import CardeaModel

/// An entity of an integration that reports the location of one person: a person or a device tracker of Home Assistant.
public struct PresenceSource: Hashable, Sendable {
    /// The integration's own id of the entity. It stays when the entity is renamed, and no other entity ever gets it.
    public let key: String
    public let entityID: String
    public let name: String
    /// nil while the integration does not know.
    public let presence: Person.Presence?

    public init(key: String, entityID: String, name: String, presence: Person.Presence?) {
        self.key = key
        self.entityID = entityID
        self.name = name
        self.presence = presence
    }
}
