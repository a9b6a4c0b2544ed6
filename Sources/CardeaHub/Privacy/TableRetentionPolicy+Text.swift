import CardeaModel
import CardeaStore

extension TableRetentionPolicy.Purpose {
    /// The data held for the purpose and the reason, as a household reads it.
    public var text: (what: String, why: String) {
        switch self {
        case .account:
            (
                "Who you are in this house",
                "Your name, your role, whether you are home and what tells so, and how you want to see the house."
            )
        case .signIn: ("How you sign in", "So that nobody else comes in under your name: sessions, passkeys, phones, tokens.")
        case .passes: ("Whom you let in", "The passes you gave, and what they were good for.")
        case .commands: ("What you asked of doors and devices", "So that it is done once, and everybody sees what came of it.")
        case .activity: ("What happened in the house", "So that every screen shows the same, and nothing is missed.")
        case .audit: ("The record of the doors", "Proof of who did what at a door, and that nobody has changed it since.")
        case .events: ("Who was at the door", "What cameras and bells told, with the pictures.")
        case .notices: ("What you were told of", "Notices, and where they are sent.")
        case .mind: ("What the house remembers", "To answer your questions, and to know what is usual.")
        case .automations: ("What the house does by itself", "Your automations, and what came of them.")
        case .readings: ("Consumption and climate", "How much was used, and how warm it was.")
        case .maintenance: ("What is to be done in the house", "What is due when, what was done, and what it cost.")
        case .house: ("The house itself", "Rooms, devices, scenes, and how they are reached.")
        case .tags: ("Buttons and tags", "What a touch may do.")
        case .safety: ("Guards", "That guessing does not pay, and that nothing is done twice.")
        case .privacy: ("Privacy", "What the house must know to keep, hand over and erase all this.")
        }
    }
}

extension TableRetentionPolicy.Purpose {
    /// The same, as a guest reads it.
    var guestText: (what: String, why: String) {
        self == .passes ? ("Your pass", "What it is good for, at which door, and since when.") : text
    }
}

extension TableRetentionPolicy.RetentionRule {
    /// Until when, as a household reads it.
    ///
    /// - Parameter days: for how long a kind is kept.
    public func text(days: (RetentionKind) -> Int) -> String {
        func span(_ kind: RetentionKind) -> String { days(kind) == 1 ? "1 day" : "\(days(kind)) days" }
        return switch self {
        case .untilRemoved: "until it is removed"
        case .days(let kind, _) where days(kind) >= RetentionKind.unlimitedDays: "for good"
        case .days(let kind, _): "\(span(kind)) after it is over"
        // A memory confirmed again counts from then on.
        case .managedByOwner(let kinds) where kinds == [.memories]: "\(span(.memories)) after it was last so"
        // Deleted in whole segments, each once the retention of its last entry is over (`AuditCheckpointer.drop`).
        case .managedByOwner(let kinds) where kinds == [.audit]: "\(span(.audit)) after the last of the 256 lines that go with it"
        case .managedByOwner(let kinds): kinds.map(span).joined(separator: " or ")
        case .withRow: "as long as what it belongs to"
        case .shortLived: "a few hours at most"
        }
    }
}
