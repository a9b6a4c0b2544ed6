import CardeaHub
import HTTPTypes

/// Why an event is not taken in, or not shown.
extension Problem {
    static func events(_ problem: Events.Problem) -> Problem {
        switch problem {
        case .notFound: Problem(.notFound, "not_found", "Event not found")
        case .field(let name, let what): .validation(name, what)
        case .noRoom:
            Problem(
                insufficientStorage.status, "insufficient_storage",
                "The disk of the house is nearly full, so detections are not recorded. Make room on it.", retryAfter: 60)
        }
    }
}
