import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

extension MaintenanceTasks.Filter {
    /// Also tasks that are done.
    static var everything: Self {
        var filter = Self()
        filter.withDone = true
        return filter
    }
}

extension NameResolver {
    static func task(_ wanted: String, among tasks: [MaintenanceAnswer], exactly command: String? = nil) throws -> MaintenanceAnswer {
        try resolve(
            wanted, among: tasks, what: "task", ids: { [$0.taskID] }, name: \.title,
            exactly: command.map { "cardea maintenance \($0)" })
    }
}

extension CommandContext {
    /// The task with the name or id `wanted`; if the house cannot be reached, from stored data.
    func task(_ wanted: String, for command: String? = nil) async throws -> MaintenanceAnswer {
        let tasks: [MaintenanceAnswer]
        do {
            tasks = try await query(.maintenance(command == nil ? .init() : .everything)).answer.tasks
        } catch let problem as ClientError where problem.isHubUnreachable && command != nil {
            // Not all of them were loaded; perhaps only those that are due.
            tasks = try await query(.maintenance()).answer.tasks
        }
        return try NameResolver.task(wanted, among: tasks, exactly: command)
    }
}

/// Maintenance as words.
enum MaintenanceText {
    /// The columns of a task: title, due date, recurrence, priority and id.
    static func row(_ task: MaintenanceAnswer, today: CalendarDay) -> [String] {
        [
            task.title + (task.isPredictive ? " (predicted)" : ""), due(task, today: today), task.recurrence ?? "",
            task.priority == MaintenanceTask.Priority.normal.rawValue ? "" : task.priority, task.taskID,
        ]
    }

    static func due(_ task: MaintenanceAnswer, today: CalendarDay) -> String {
        guard task.doneAt == nil else { return "done" }
        guard let day = task.dueOn else { return "no date" }
        return switch today.days(to: day) {
        case 0: "today"
        case 1: "tomorrow"
        case ..<0: "\(day), overdue"
        default: "\(day)"
        }
    }

    static func row(_ done: MaintenanceCompletionAnswer, _ clock: HouseClock) -> [String] {
        [
            clock.short(done.completedAt), [done.completedByName, done.serviceProvider].compactMap(\.self).joined(separator: ", "),
            done.cost?.money?.description ?? "", done.notes ?? "",
        ]
    }

    static func next(_ task: MaintenanceAnswer) -> String {
        task.dueOn.map { "\(task.title) is done. It is due again on \($0)." } ?? "\(task.title) is done."
    }
}
