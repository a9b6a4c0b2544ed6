import ArgumentParser

struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: "List and resolve conflicts: values changed here and elsewhere.",
        subcommands: [ConflictsListCommand.self, ConflictResolveCommand.self], defaultSubcommand: ConflictsListCommand.self)
}
