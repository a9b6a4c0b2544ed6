import ArgumentParser

struct MaintenanceTasksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintenance", abstract: "List, add, complete and remove maintenance tasks, and show their history.",
        discussion: """
              cardea maintenance
              cardea maintenance add "Change the filter" --due 2027-01-31 --every monthly
              cardea maintenance done "Change the filter" --cost "12.99 EUR"
            """,
        subcommands: [
            MaintenanceTaskListCommand.self, MaintenanceTaskAddCommand.self, MaintenanceTaskDoneCommand.self,
            MaintenanceTaskHistoryCommand.self,
            MaintenanceTaskRemoveCommand.self,
        ], defaultSubcommand: MaintenanceTaskListCommand.self)
}
