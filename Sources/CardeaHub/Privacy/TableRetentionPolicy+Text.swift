import CardeaModel
import CardeaStore

extension TableRetentionPolicy.Purpose {
    /// The data held for the purpose and the reason, as a household reads it.
    public var text: (what: String, why: String) {
        switch self {
        case .account:
            (
                "Who you are in this house",
                "Your name, your role, whether you are home, the source of your presence, and your preferences."
            )
        case .signIn: ("How you sign in", "Sessions, passkeys, phones and tokens, so that only you can sign in as yourself.")
        case .passes: ("Guests you invited", "The passes you gave, and what they allowed.")
        case .commands: ("Your commands to doors and devices", "Each command is done once, and every resident sees its result.")
        case .activity: ("Changes in the house", "Used to show the same state on every screen, without missing a change.")
        case .audit: ("The audit log", "Proof of who did what at a door, protected against changes.")
        case .events: ("Events at the door", "Reports of cameras and doorbells, with their pictures.")
        case .notices: ("Your notifications", "Notifications, and the devices that receive them.")
        case .mind: ("The house's memory", "Used to answer your questions and to learn what is usual.")
        case .automations: ("Automations", "Your automations, and their results.")
        case .readings: ("Consumption and climate", "Energy use and temperatures.")
        case .maintenance: ("Maintenance", "Tasks with their due dates, results and costs.")
        case .house: ("The house itself", "Rooms, devices and scenes, and their connections.")
        case .tags: ("Buttons and tags", "Their actions, and which tags may trigger them.")
        case .safety: ("Protection", "Rate limits against guessing, and idempotency keys against repeated requests.")
        case .privacy: ("Privacy", "Settings and jobs for retention, export and erasure.")
        }
    }
}

extension TableRetentionPolicy.Purpose {
    /// The same, as a guest reads it.
    var guestText: (what: String, why: String) {
        self == .passes ? ("Your pass", "The doors and actions that it allows, and its dates.") : text
    }
}

extension TableRetentionPolicy.RetentionRule {
    /// Until when, as a household reads it.
    ///
    /// - Parameter days: for how long a kind is kept.
    public func text(days: (RetentionKind) -> Int) -> String {
        func span(_ kind: RetentionKind) -> String { days(kind) == 1 ? "1 day" : "\(days(kind)) days" }
        return switch self {
        case .untilRemoved: "until it is deleted"
        case .days(let kind, _) where days(kind) >= RetentionKind.unlimitedDays: "for good"
        case .days(let kind, _): "\(span(kind)) after it is over"
        // A memory confirmed again counts from then on.
        case .managedByOwner(let kinds) where kinds == [.memories]: "\(span(.memories)) after it was last confirmed"
        // Deleted in whole segments, each once the retention of its last entry is over (`AuditCheckpointer.drop`).
        case .managedByOwner(let kinds) where kinds == [.audit]: "\(span(.audit)) after the last entry of its block of 256"
        case .managedByOwner(let kinds): kinds.map(span).joined(separator: " or ")
        case .withRow: "as long as the item it belongs to"
        case .shortLived: "a few hours at most"
        }
    }
}
