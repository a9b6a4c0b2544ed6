/// What the house keeps for a time and then forgets (Seed 001, item 27), each with a time of its own.
public enum RetentionKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// What happened in the house, what was asked of its devices, and what was said in conversation.
    case activity
    /// The audit trail, which goes by whole segments of 256 entries.
    case audit
    /// What sensors said, one by one; after that, hours are kept.
    case readings
    /// What was used, by the hour.
    case energy
    /// How warm, damp and bright it was, by the hour.
    case environment
    /// Who was at the door, with the pictures.
    case events
    /// Who was told of what.
    case notices
    /// What the house remembers by itself, and how it felt. What a person told it or pinned stays until they take it back.
    case memories
    /// What was done in the house, by whom and for how much.
    case maintenance

    /// Days that are kept where nobody has chosen otherwise (Seed 001, item 27; for audit and events, the design).
    public var defaultDays: Int {
        switch self {
        case .activity, .audit, .events: 90
        case .readings: 7
        case .energy: 730
        case .environment, .memories: 365
        case .notices: 30
        case .maintenance: Self.unlimitedDays
        }
    }

    /// Whether the mind sees to it, when it makes order in its memories, and not the night's sweep.
    public var isOwnedByMind: Bool { self == .memories }

    /// A hundred years: for as long as the house stands.
    public static let unlimitedDays = 36_500
}
