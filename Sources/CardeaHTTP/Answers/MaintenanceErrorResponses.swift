import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes

/// Errors of maintenance, as status and code.
extension APIResponseError {
    static func maintenance(_ problem: Maintenance.MaintenanceError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "task_not_found", "There is no such task.")
        case .name(let field, let problem, let limit): .name(problem, field: field, limit: limit)
        case .noSuchDevice: .validation("device_id", "is no device of this house")
        case .noSuchRoom: .validation("room_id", "is not a room of this house")
        case .dueOn: .validation("due_on", "is a day from 2000 to 2199")
        case .recurrenceWithoutDay: .validation("recurrence", "takes a day on which it begins, in due_on")
        case .completedAt: .validation("completed_at", "is not after now, and not before 1970")
        case .alreadyDone: APIResponseError(.conflict, "conflict", "This was to be done once, and is done.")
        case .full: APIResponseError(.conflict, "conflict", "The house keeps no more of these. Take some out first.")
        case .stale(let task): .preconditionFailed(MaintenanceAnswer(task), version: task.version)
        }
    }
}
