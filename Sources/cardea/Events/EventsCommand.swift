import ArgumentParser

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Who was at the door: list and show.",
        subcommands: [EventsListCommand.self, EventShowCommand.self], defaultSubcommand: EventsListCommand.self)
}
