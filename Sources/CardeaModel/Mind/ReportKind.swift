/// How it came to be known that an entity stands so, where that is not by the change itself.
public enum ReportKind: String, Codable, Hashable, Sendable {
    /// Told again, or found so after the connection was away: nobody pressed anything now.
    case kept
    /// A press, or another event: each of two that say the same is one of its own.
    case press
}
