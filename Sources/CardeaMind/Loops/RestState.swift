import CardeaModel

/// How a door, a cover or a lamp stands: as it does when nobody needs it, or not.
public enum RestState: String, Codable, Hashable, Sendable {
    /// Locked, closed, off.
    case resting
    /// Unlocked, open, on.
    case active

    /// Nil for what is under way, jammed or unknown.
    public init?(_ word: String) {
        switch word {
        case "locked", "closed", "off": self = .resting
        case "unlocked", "open", "on", "stopped": self = .active
        default: return nil
        }
    }
}

extension EntityState {
    /// Whether it is not known how the entity stands.
    var hasNoState: Bool { value == "unknown" || value == "unavailable" || value.isEmpty }
}
