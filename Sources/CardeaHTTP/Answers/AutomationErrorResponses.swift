import CardeaAPI
import CardeaAutomations
import CardeaModel
import HTTPTypes

/// Errors of automations, as status and code.
extension APIResponseError {
    static func automations(_ problem: Automations.AutomationServiceError) -> APIResponseError {
        switch problem {
        case .notFound:
            APIResponseError(.notFound, "automation_not_found", "There is no automation with this id. Reload the list of automations.")
        case .field(let problem): .validation(problem.field, problem.message)
        case .action(let objection):
            objection.refusal.map { .inField("actions.\(objection.index)", .forbidden($0)) }
                ?? .validation("actions.\(objection.index)", objection.reason)
        case .limitReached: APIResponseError(.conflict, "conflict", "The house has the maximum number of automations. Delete one first.")
        case .stale(let automation): .preconditionFailed(AutomationAnswer(automation), version: automation.version)
        case .invalidDayCount: .validation("days", "must be from 1 to 30")
        }
    }
}
