import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct MaintenanceTaskAddCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a task, once or recurring.",
        discussion: """
            Without --due, the task has no due date. A monthly task due on the 31st falls on the last day of shorter months.

              cardea maintenance add "Change the filter" --due 2027-01-31 --every monthly --category heating --room Hall
              cardea maintenance add "Bleed the radiators" --priority low
            """)

    @Argument(help: "The title of the task.")
    var title: String
    @Option(help: ArgumentHelp("The first due date.", valueName: "2027-01-31"))
    var due: CalendarDay?
    @Option(help: "The interval after the first due date.")
    var every: Recurrence?
    @Option(help: "The category.")
    var category: MaintenanceTask.Category?
    @Option(help: "The priority.")
    var priority: MaintenanceTask.Priority?
    @Option(help: "The device of the task, by id or name.")
    var device: String?
    @Option(help: "The room of the task, by id or name.")
    var room: String?
    @Option(help: "Notes for the task.")
    var notes: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard every == nil || due != nil else { throw ValidationError("--every needs --due, the first due date.") }
    }

    func run(in context: CommandContext) async throws {
        var body = MaintenanceBody(title: title, dueOn: due, recurrence: every)
        (body.category, body.priority, body.notes) = (category, priority, notes)
        if let device { body.deviceID = try await context.device(device).deviceID }
        if let room { body.roomID = try await context.room(room).roomID }
        let task = body
        try await context.sendOrQueue(.addTask(task), waiting: "\(title) is added if the house can be reached within a day.") {
            client, key in
            try await client.maintenance.add(task, key: key)
        } text: { made in
            "\(made.title) is added\(made.dueOn.map { ", due on \($0)" } ?? "")."
        }
    }
}
