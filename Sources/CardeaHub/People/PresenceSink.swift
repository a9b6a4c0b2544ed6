import CardeaModel

/// Receives from integrations who is home. An integration reports only the sources that people have linked to themselves.
public protocol PresenceSink: Sendable {
    /// The keys of an integration's sources that people have linked.
    func linkedSources(of integration: String) async throws -> Set<String>
    /// Reports where the people of these sources are. A report that is older than the newest word about a person changes nothing.
    ///
    /// - Parameter presences: by the keys of the sources.
    func report(_ presences: [String: Person.Presence], of integration: String) async throws
}

/// An entity of an integration that tells where one person is: a person or a device tracker of Home Assistant.
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
