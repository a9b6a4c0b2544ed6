import CardeaModel

/// The last time that somebody was home, or away.
public struct PresenceInterval: Hashable, Sendable {
    /// By their key.
    public let personKey: String
    public let isHome: Bool
}
