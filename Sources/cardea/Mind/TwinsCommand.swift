import ArgumentParser

struct TwinsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "twins", abstract: "List, show, make and remove device twins.",
        subcommands: [TwinsListCommand.self, TwinShowCommand.self, TwinMakeCommand.self, TwinRemoveCommand.self],
        defaultSubcommand: TwinsListCommand.self)
}
