import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct MaintenanceListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tasks by due date.",
        discussion: """
              cardea maintenance
              cardea maintenance list --overdue
            """)

    @Flag(help: "Show only tasks that were due before today.")
    var overdue = false
    @Flag(help: "Show completed one-time tasks too.")
    var done = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        var filter = Maintenance.Filter()
        (filter.isOverdue, filter.withDone) = (overdue, done)
        let look = try await context.query(.maintenance(filter))
        try await context.output.show(look) {
            guard !look.answer.tasks.isEmpty else {
                return overdue
                    ? "Nothing is overdue."
                    : "No tasks. Add one: cardea maintenance add \"Change the filter\" --due 2027-01-31 --every monthly"
            }
            let rows = look.answer.tasks.map { MaintenanceText.row($0, today: look.answer.today) }
            return Table("WHAT", "DUE", "EVERY", "MATTERS", "ID", rows: rows).text(context.output)
        }
    }
}

struct MaintenanceHistoryCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show completed work with its cost, newest first.",
        discussion: """
              cardea maintenance history "Change the filter"
            """)

    @Argument(help: "The task, by id or name.")
    var task: String
    @Option(help: "How many, 1 to 200.")
    var limit: Int = 50
    @Option(help: "Continue after a page; its last line gives the value.")
    var before: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...200).contains(limit) else { throw ValidationError("--limit needs 1 to 200.") }
    }

    func run(in context: CommandContext) async throws {
        let task = try NameResolver.task(task, among: try await context.query(.maintenance(.everything)).answer.tasks)
        let look = try await context.query(.maintenanceHistory(of: task.taskID, before: before, limit: limit))
        try await context.output.show(look) {
            let page = look.answer
            guard let last = page.completions.last else {
                return before == nil ? "\(task.title) has not been done yet." : "\(task.title) has no earlier entries."
            }
            let clock = try await context.clock(look)
            let older =
                page.hasMore
                ? context.output.dim("\nOlder: cardea maintenance history \(task.taskID) --limit \(limit) --before \(last.completionID)")
                : ""
            return Table("AT", "BY", "COST", "NOTES", rows: page.completions.map { MaintenanceText.row($0, clock) })
                .text(context.output) + older
        }
    }
}

extension Maintenance.Filter {
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
