import CardeaAPI
import CardeaMind
import CardeaModel
import HTTPTypes

/// What can be wrong with an automation, as status and code.
extension Problem {
    static func automations(_ problem: Automations.Problem) -> Problem {
        switch problem {
        case .notFound: Problem(.notFound, "automation_not_found", "There is no such automation.")
        case .field(let problem): .validation(problem.field, problem.words)
        case .action(let objection):
            objection.refusal.map { .ofBody("actions.\(objection.place)", .forbidden($0)) }
                ?? .validation("actions.\(objection.place)", objection.words)
        case .full: Problem(.conflict, "conflict", "The house has as many automations as it can keep. Remove one first.")
        case .stale(let automation): .stale(AutomationAnswer(automation), version: automation.version)
        case .days: .validation("days", "is 1 to 30")
        }
    }
}
