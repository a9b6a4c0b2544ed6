import CardeaModel

/// Receives from integrations who is home. An integration reports only the sources that people have linked to themselves.
public protocol PresenceSink: Sendable {
    /// The keys of an integration's sources that people have linked.
    func linkedSources(of integration: String) async throws -> Set<String>
    /// Reports the presence of the people of these sources. A report that is older than the newest one about a person changes nothing.
    ///
    /// - Parameter presences: by the keys of the sources.
    func report(_ presences: [String: Person.Presence], of integration: String) async throws
}
