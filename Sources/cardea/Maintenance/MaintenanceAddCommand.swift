import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct MaintenanceAddCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Something that is to be done, once or again and again.",
        discussion: """
            Without --due it is to be done some time. A series is counted from its first day: what falls on the 31st is on the last day of
            a short month, and on the 31st again after it.

              cardea maintenance add "Change the filter" --due 2027-01-31 --every monthly --category heating --room Hall
              cardea maintenance add "Bleed the radiators" --priority low
            """)

    @Argument(help: "What is to be done.")
    var title: String
    @Option(help: ArgumentHelp("The day on which it is due.", valueName: "2027-01-31"))
    var due: CalendarDay?
    @Option(help: "How often after that.")
    var every: Recurrence?
    @Option(help: "What it belongs to.")
    var category: MaintenanceTask.Category?
    @Option(help: "How much it matters.")
    var priority: MaintenanceTask.Priority?
    @Option(help: "The device it is about, by id or name.")
    var device: String?
    @Option(help: "The room it is in, by id or name.")
    var room: String?
    @Option(help: "What is to be known of it.")
    var notes: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard every == nil || due != nil else { throw ValidationError("Say with --due on which day it begins.") }
    }

    func run(in context: CommandContext) async throws {
        var body = MaintenanceBody(title: title, dueOn: due, recurrence: every)
        (body.category, body.priority, body.notes) = (category, priority, notes)
        if let device { body.deviceID = try await context.device(device).deviceID }
        if let room { body.roomID = try await context.room(room).roomID }
        let task = body
        try await context.sendOrQueue(.addTask(task), waiting: "\(title) is put down when the house can be reached, within a day.") {
            client, key in
            try await client.maintenance.add(task, key: key)
        } text: { made in
            "\(made.title) is to be done\(made.dueOn.map { " on \($0)" } ?? " some time")."
        }
    }
}
