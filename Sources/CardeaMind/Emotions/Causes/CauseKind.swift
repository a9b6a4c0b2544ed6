/// The kinds of causes, each with the largest share of an emotion that it can make up (the backend's weights; they add up to 1).
public enum CauseKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The condition of the house: broken and unreachable devices, dangers, and open doors and windows at night.
    case health
    /// People: arrivals, absences, refused attempts at a door.
    case interaction
    /// The rooms, their air and their doors.
    case environment
    /// Commands given to the house, and their results.
    case tasks
    /// New things the house learned.
    case learning

    public var weight: Double {
        switch self {
        case .health: 0.3
        case .interaction: 0.25
        case .environment: 0.2
        case .tasks: 0.15
        case .learning: 0.1
        }
    }
}
