import ArgumentParser

struct QueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "List and discard changes waiting to be sent, and those that expired.",
        subcommands: [QueueListCommand.self, QueueDiscardCommand.self], defaultSubcommand: QueueListCommand.self)
}
