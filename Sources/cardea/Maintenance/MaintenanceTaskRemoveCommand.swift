import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct MaintenanceTaskRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a task and its history.",
        discussion: """
              cardea maintenance remove "Change the filter" --yes
            """)

    @Argument(help: "The task, by id or full name.")
    var task: String
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let task = try await context.task(task, for: "remove")
        try context.prompt.confirm("Remove \(task.title) and its history?", beforehand: yes)
        let request = OutboxOperation.Request.removeTask(id: task.taskID, seen: task.version, name: task.title)
        try await context.sendOrQueue(request, waiting: "\(task.title) is removed if the house can be reached within a day.") {
            client, key in
            try await client.maintenance.remove(task.taskID, seen: task.version, key: key)
            return task
        } text: { _ in
            "\(task.title) is removed."
        }
    }
}
