import CardeaHub
import HTTPTypes

extension APIResponseError {
    static func presence(_ problem: PresenceSources.PresenceSourceError) -> APIResponseError {
        switch problem {
        case .unknown: .validation("entity_id", "is not among the persons and device trackers that can be linked")
        case .linkedByOther: APIResponseError(.conflict, "conflict", "Somebody else has linked this to themselves. Choose another.")
        }
    }
}
