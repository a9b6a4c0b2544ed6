/// A kind of data that is deleted after its own retention time (Seed 001, item 27).
public enum RetentionKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// Events in the house, commands to its devices, and conversations.
    case activity
    /// The audit log, which is deleted by whole segments of 256 entries.
    case audit
    /// Single sensor readings; afterwards the hourly ones remain.
    case readings
    /// Hourly consumption.
    case energy
    /// Hourly temperature, humidity and brightness.
    case environment
    /// Events at the door, with their pictures.
    case events
    /// Notifications that were sent to people.
    case notices
    /// Memories and moods that the mind made itself. Those that a person gave or pinned stay until the person deletes them.
    case memories
    /// Completed maintenance, with person and cost.
    case maintenance

    /// Days that are kept by default (Seed 001, item 27; for audit and events, the design).
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

    /// True if the mind deletes the data when it tidies its memories, rather than the nightly sweep.
    public var isOwnedByMind: Bool { self == .memories }

    /// A hundred years, which means for ever.
    public static let unlimitedDays = 36_500
}
