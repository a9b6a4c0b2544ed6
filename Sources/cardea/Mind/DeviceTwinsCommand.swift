import ArgumentParser

struct DeviceTwinsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "twins", abstract: "List, show, make and remove device twins.",
        subcommands: [DeviceTwinsListCommand.self, DeviceTwinShowCommand.self, DeviceTwinMakeCommand.self, DeviceTwinRemoveCommand.self],
        defaultSubcommand: DeviceTwinsListCommand.self)
}
