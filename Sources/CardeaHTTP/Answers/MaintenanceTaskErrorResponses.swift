import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes

/// Errors of maintenance, as status and code.
extension APIResponseError {
    static func maintenance(_ problem: MaintenanceTasks.MaintenanceError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "task_not_found", "There is no task with this id. Reload the list of tasks.")
        case .name(let field, let problem, let limit): .name(problem, field: field, limit: limit)
        case .noSuchDevice: .validation("device_id", "must be the id of a device of this house")
        case .noSuchRoom: .validation("room_id", "must be the id of a room of this house")
        case .dueOn: .validation("due_on", "must be a day from 2000 to 2199, such as 2026-11-30")
        case .recurrenceWithoutDay: .validation("recurrence", "needs due_on, the day of the first time")
        case .completedAt: .validation("completed_at", "must be a time from 1970 until now")
        case .alreadyDone: APIResponseError(.conflict, "conflict", "This task was due once and is already done. Add a new task.")
        case .full: APIResponseError(.conflict, "conflict", "The house has the maximum number of tasks. Delete one first.")
        case .stale(let task): .preconditionFailed(MaintenanceAnswer(task), version: task.version)
        }
    }
}
