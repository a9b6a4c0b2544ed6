import CardeaModel

/// The last time that a person was home, or away.
public struct PresenceReference: Hashable, Sendable {
    /// The key of the person.
    public let personKey: String
    public let isHome: Bool
}
