import ArgumentParser

struct QueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "What waits here for the house, and what was never done.",
        subcommands: [QueueListCommand.self, QueueDiscardCommand.self], defaultSubcommand: QueueListCommand.self)
}
