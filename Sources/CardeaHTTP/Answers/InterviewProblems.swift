import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import HTTPTypes

/// What can be wrong with interviews and the devices that come of them, as status and code.
extension Problem {
    static func interviews(_ problem: Interviews.Problem) -> Problem {
        switch problem {
        case .notFound: .notFound
        case .refused(let refusal): refused(refusal)
        case .stale(let kept): .stale(InterviewWire.status(kept), version: kept.version)
        case .busy: Problem(.conflict, "conflict", "Somebody spoke at the same moment. Look where the conversation is, and say it again.")
        }
    }

    static func planned(_ problem: PlannedDevices.Problem) -> Problem {
        switch problem {
        case .name(let problem): .name(problem, field: "name")
        case .description(let problem): .name(problem, field: "user_description", limit: 500)
        case .full:
            Problem(.conflict, "conflict", "The house has as many planned devices as it can keep. Connect some, or take them out.")
        }
    }

    private static func refused(_ refusal: Interview.Refusal) -> Problem {
        switch refusal {
        case .notActive(.paused): over("The conversation is paused. Resume it first.", .paused)
        case .notActive(let status): over("The conversation is over. Start another one.", status)
        case .notPaused(let status): over("The conversation is not paused.", status)
        case .empty: .validation("message", "says nothing")
        case .noSuchCandidate: .validation("candidate_ids", "names what is no open candidate of this conversation, or names it twice")
        }
    }

    private static func over(_ words: String, _ status: Interview.Status) -> Problem {
        Problem(.conflict, "conflict", words, details: ["status": .string(status.rawValue)])
    }
}
