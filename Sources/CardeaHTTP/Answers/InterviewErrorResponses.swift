import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import HTTPTypes

/// Errors of interviews and of the devices they create, as status and code.
extension APIResponseError {
    static func interviews(_ problem: Interviews.InterviewError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .refused(let refusal): refused(refusal)
        case .stale(let kept): .preconditionFailed(InterviewResponses.status(kept), version: kept.version)
        case .busy:
            APIResponseError(.conflict, "conflict", "Somebody spoke at the same moment. Look where the conversation is, and say it again.")
        }
    }

    static func plannedDevices(_ problem: PlannedDevices.PlanError) -> APIResponseError {
        switch problem {
        case .name(let problem): .name(problem, field: "name")
        case .description(let problem): .name(problem, field: "user_description", limit: 500)
        case .full:
            APIResponseError(.conflict, "conflict", "The house has as many planned devices as it can keep. Connect some, or take them out.")
        }
    }

    private static func refused(_ refusal: Interview.ConversationError) -> APIResponseError {
        switch refusal {
        case .notActive(.paused): notActive("The conversation is paused. Resume it first.", .paused)
        case .notActive(let status): notActive("The conversation is over. Start another one.", status)
        case .notPaused(let status): notActive("The conversation is not paused.", status)
        case .empty: .validation("message", "says nothing")
        case .noSuchCandidate: .validation("candidate_ids", "names what is no open candidate of this conversation, or names it twice")
        }
    }

    private static func notActive(_ words: String, _ status: Interview.Status) -> APIResponseError {
        APIResponseError(.conflict, "conflict", words, details: ["status": .string(status.rawValue)])
    }
}
