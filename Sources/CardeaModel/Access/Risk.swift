/// The harm that an action can do; presence, queueing and tags depend on it.
public enum Risk: String, Codable, Hashable, Sendable, Comparable {
    /// Reading only.
    case read
    /// Changes comfort, not access: a light, a thermostat, locking a door.
    case control
    /// Opens a way in: unlocking a lock, raising a garage door, disarming.
    case open

    public static func < (one: Risk, other: Risk) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .read: 0
        case .control: 1
        case .open: 2
        }
    }
}
