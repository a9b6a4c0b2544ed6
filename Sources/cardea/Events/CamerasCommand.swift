import ArgumentParser

struct CamerasCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras", abstract: "The cameras of the house: list, show, add, change, remove.",
        subcommands: [
            CamerasListCommand.self, CameraShowCommand.self, CameraAddCommand.self, CameraChangeCommand.self, CameraRemoveCommand.self,
        ],
        defaultSubcommand: CamerasListCommand.self)
}
