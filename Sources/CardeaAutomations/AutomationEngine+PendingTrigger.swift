import CardeaModel
import Foundation

extension AutomationEngine {
    /// A word that an entity says, and has to go on saying until a moment.
    struct PendingTrigger {
        let automationID: String
        let trigger: Int
        let entityID: String
        let seconds: TimeInterval
        /// Nil while it is not known whether it goes on saying it.
        var due: Date?
        /// When it would have been, had it been told in time.
        var originalDue: Date
        let eventID: String?
        let chain: [String]
    }

    /// What the clock alone sets going.
    enum DueTrigger {
        case time(Date, String, Int)
        case held(Date, PendingTrigger)

        var at: Date {
            switch self {
            case .time(let at, _, _), .held(let at, _): at
            }
        }
        var automationID: String {
            switch self {
            case .time(_, let id, _): id
            case .held(_, let one): one.automationID
            }
        }
        var trigger: Int {
            switch self {
            case .time(_, _, let trigger): trigger
            case .held(_, let one): one.trigger
            }
        }
    }
}
