import CardeaModel

/// The level of detail of a twin.
public enum TwinFidelity: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
    /// The last report of each entity, with its time. For a planned device, the values that were written down for it.
    case basic
    /// Basic, and the commands: desired and pending states and their divergence from the report; and the history, derived from events.
    case advanced
    /// Advanced, and a model for predictions. The only model is a room's thermal twin; if none could be fitted, the twin's capabilities
    /// say so.
    case expert

    public static func < (one: TwinFidelity, other: TwinFidelity) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .basic: 0
        case .advanced: 1
        case .expert: 2
        }
    }
}
