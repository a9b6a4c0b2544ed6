import CardeaModel
import Foundation

extension AutomationEvaluator {
    /// A state that an entity must keep until a moment for the trigger to fire.
    struct PendingTrigger {
        let automationID: String
        let trigger: Int
        let entityID: String
        let seconds: TimeInterval
        /// Nil while the entity's state is not known.
        var due: Date?
        /// The time at which it would have been due if the state had been reported in time.
        var originalDue: Date
        let eventID: String?
        let chain: [String]
    }

    /// A trigger that the clock alone fires.
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
