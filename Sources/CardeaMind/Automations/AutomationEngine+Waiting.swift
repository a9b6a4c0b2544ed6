import CardeaModel
import Foundation

extension AutomationEngine {
    /// A word that an entity says, and has to go on saying until a moment.
    struct Waiting {
        let automationID: String
        let trigger: Int
        let entityID: String
        let seconds: TimeInterval
        /// Nil while it is not known whether it goes on saying it.
        var due: Date?
        /// When it would have been, had it been told in time.
        var wasDue: Date
        let happening: String?
        let row: [String]
    }

    /// What the clock alone sets going.
    enum Due {
        case time(Date, String, Int)
        case stayed(Date, Waiting)

        var at: Date {
            switch self {
            case .time(let at, _, _), .stayed(let at, _): at
            }
        }
        var automationID: String {
            switch self {
            case .time(_, let id, _): id
            case .stayed(_, let one): one.automationID
            }
        }
        var trigger: Int {
            switch self {
            case .time(_, _, let trigger): trigger
            case .stayed(_, let one): one.trigger
            }
        }
    }
}
