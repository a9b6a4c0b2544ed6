import ArgumentParser

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Who was at the door: list, show, delete.",
        subcommands: [EventsListCommand.self, EventShowCommand.self, EventDeleteCommand.self], defaultSubcommand: EventsListCommand.self)
}
