import ArgumentParser

struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: "What was changed here and elsewhere, and waits for you to decide.",
        subcommands: [ConflictsListCommand.self, ConflictResolveCommand.self], defaultSubcommand: ConflictsListCommand.self)
}
