import ArgumentParser

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "List, show and delete camera and doorbell events.",
        subcommands: [EventsListCommand.self, EventShowCommand.self, EventDeleteCommand.self], defaultSubcommand: EventsListCommand.self)
}
