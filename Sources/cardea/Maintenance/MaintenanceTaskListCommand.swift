import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct MaintenanceTaskListCommand: HouseCommand {
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
        var filter = MaintenanceTasks.Filter()
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
