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
        case .stale(let stored): .preconditionFailed(InterviewResponses.status(stored), version: stored.version)
        case .busy:
            APIResponseError(
                .conflict, "conflict", "Another message arrived at the same moment. Reload the conversation and send yours again.")
        }
    }

    static func plannedDevices(_ problem: PlannedDevices.PlanError) -> APIResponseError {
        switch problem {
        case .name(let problem): .name(problem, field: "name")
        case .description(let problem): .name(problem, field: "user_description", limit: 500)
        case .full:
            APIResponseError(.conflict, "conflict", "The house has the maximum number of planned devices. Connect or remove some first.")
        }
    }

    private static func refused(_ refusal: Interview.ConversationError) -> APIResponseError {
        switch refusal {
        case .notActive(.paused): notActive("The conversation is paused. Resume it first.", .paused)
        case .notActive(let status): notActive("The conversation is over. Start a new one.", status)
        case .notPaused(let status): notActive("The conversation is not paused, so it cannot be resumed.", status)
        case .empty: .validation("message", "must not be empty")
        case .noSuchCandidate: .validation("candidate_ids", "must list open candidates of this conversation, each once")
        }
    }

    private static func notActive(_ words: String, _ status: Interview.Status) -> APIResponseError {
        APIResponseError(.conflict, "conflict", words, details: ["status": .string(status.rawValue)])
    }
}
