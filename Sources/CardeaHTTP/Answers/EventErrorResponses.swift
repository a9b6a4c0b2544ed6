import CardeaHub
import HTTPTypes

/// Errors of reported events and of reading them, as status and code.
extension APIResponseError {
    static func events(_ problem: Events.EventError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "not_found", "Event not found")
        case .field(let name, let what): .validation(name, what)
        case .noRoom:
            APIResponseError(
                insufficientStorage.status, "insufficient_storage",
                "The hub's disk is nearly full, so detections are not recorded. Free space on it.", retryAfter: 60)
        }
    }
}
