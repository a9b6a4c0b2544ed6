import ArgumentParser

struct CamerasCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras", abstract: "The cameras of the house: list, show, add, remove.",
        subcommands: [CamerasListCommand.self, CameraShowCommand.self, CameraAddCommand.self, CameraRemoveCommand.self],
        defaultSubcommand: CamerasListCommand.self)
}
