import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct MaintenanceTaskHistoryCommand: HouseCommand {
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
