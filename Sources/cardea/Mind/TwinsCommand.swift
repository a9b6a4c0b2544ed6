import ArgumentParser

struct TwinsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "twins", abstract: "What each device last said, and what was asked of it: list, show, make, remove.",
        subcommands: [TwinsListCommand.self, TwinShowCommand.self, TwinMakeCommand.self, TwinRemoveCommand.self],
        defaultSubcommand: TwinsListCommand.self)
}
