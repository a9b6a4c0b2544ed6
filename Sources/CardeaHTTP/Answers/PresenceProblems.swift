import CardeaHub
import HTTPTypes

extension Problem {
    static func presence(_ problem: PresenceSources.Problem) -> Problem {
        switch problem {
        case .unknown: .validation("entity_id", "is not among the persons and device trackers that can be linked")
        case .taken: Problem(.conflict, "conflict", "Somebody else has linked this to themselves. Choose another.")
        }
    }
}
