import CardeaHub
import HTTPTypes

extension APIResponseError {
    static func presence(_ problem: PresenceSources.PresenceSourceError) -> APIResponseError {
        switch problem {
        case .unknown: .validation("entity_id", "must be one of the persons and device trackers that can be linked")
        case .linkedByOther: APIResponseError(.conflict, "conflict", "This entity_id is linked to another person. Choose another.")
        }
    }
}
