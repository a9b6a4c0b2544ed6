/// How a state became known, where that was not by the change itself.
public enum ReportKind: String, Codable, Hashable, Sendable {
    /// A repeated report, or a state found after the connection was lost: no person pressed anything now.
    case kept
    /// A press, or another event: each of two that say the same is one of its own.
    case press
}
