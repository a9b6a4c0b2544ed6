import CardeaModel

/// How much a twin carries.
public enum TwinFidelity: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
    /// What each entity last said, and when. A plan's is what was written down for it.
    case basic
    /// That, and what was asked of it: desired, pending and the divergence of the two from what it says; and its history, drawn from
    /// happenings.
    case advanced
    /// All that, and a model that says what comes next. Only a room's thermal twin is one: where none could be fitted there is none, and
    /// the twin says so by what it can do.
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
