import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct MaintenanceTaskDoneCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "done", abstract: "Mark a task as done, and print its next due date.",
        discussion: """
              cardea maintenance done "Change the filter" --cost "12.99 EUR" --notes "Filter G4"
              cardea maintenance done Boiler --provider "Warm & Sons" --on 2026-11-20
            """)

    @Argument(help: "The task, by id or name.")
    var task: String
    @Option(help: ArgumentHelp("The cost: 12.99 EUR.", valueName: "12.99 EUR"))
    var cost: ParsedMoney?
    @Option(help: "Notes on the work.")
    var notes: String?
    @Option(help: "The company or person who did the work.")
    var provider: String?
    @Option(help: ArgumentHelp("The date of the work. Default: today.", valueName: "2026-11-20"))
    var on: CalendarDay?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let task = try await context.task(task)
        var body = CompleteMaintenanceBody(cost: (cost?.money).map(MoneyBody.init), notes: notes, serviceProvider: provider)
        if let on, let noon = TimeOfDay("12:00") {
            let clock = try await context.clock()
            // For today, the house's own clock gives the time.
            if on != CalendarDay(clock.now, in: clock.zone) { body.completedAt = on.moment(at: noon, in: clock.zone) }
        }
        let asked = body
        // A task that is recorded later was still completed now.
        if body.completedAt == nil { body.completedAt = Date() }
        let request = OutboxOperation.Request.completeTask(id: task.taskID, body, seen: task.version, name: task.title)
        let waiting = "\(task.title) is marked as done if the house can be reached within a day."
        try await context.sendOrQueue(request, waiting: waiting) { client, key in
            try await client.maintenance.complete(task.taskID, asked, seen: task.version, key: key)
        } text: { done in
            MaintenanceText.next(done.task)
        }
    }
}
