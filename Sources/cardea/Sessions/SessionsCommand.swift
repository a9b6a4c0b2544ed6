import ArgumentParser

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List and end your sessions.",
        subcommands: [SessionsListCommand.self, SessionEndCommand.self], defaultSubcommand: SessionsListCommand.self)
}
