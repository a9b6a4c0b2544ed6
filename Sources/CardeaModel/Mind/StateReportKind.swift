/// The way in which a state became known, if that was not by the change itself.
public enum StateReportKind: String, Codable, Hashable, Sendable {
    /// A repeated report, or a state found after the connection was lost: no person pressed anything now.
    case kept
    /// A press, or another event: two equal reports are two events.
    case press
}
