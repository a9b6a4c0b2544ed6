import ArgumentParser

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "Where you are signed in: list, end.",
        subcommands: [SessionsListCommand.self, SessionEndCommand.self], defaultSubcommand: SessionsListCommand.self)
}
