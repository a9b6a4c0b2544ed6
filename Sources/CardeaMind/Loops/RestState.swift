import CardeaModel

/// The state of a door, a cover or a lamp: at rest (shut, locked, off) or not.
public enum RestState: String, Codable, Hashable, Sendable {
    /// Locked, closed, off.
    case resting
    /// Unlocked, open, on.
    case active

    /// Nil if the entity is moving, jammed or unknown.
    public init?(_ word: String) {
        switch word {
        case "locked", "closed", "off": self = .resting
        case "unlocked", "open", "on", "stopped": self = .active
        default: return nil
        }
    }
}

extension EntityState {
    /// True if the entity's state is not known.
    var hasNoState: Bool { value == "unknown" || value == "unavailable" || value.isEmpty }
}
