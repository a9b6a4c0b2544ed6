import ArgumentParser

struct CamerasCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras", abstract: "List, show, add, change and remove cameras.",
        subcommands: [
            CamerasListCommand.self, CameraShowCommand.self, CameraAddCommand.self, CameraChangeCommand.self, CameraRemoveCommand.self,
        ],
        defaultSubcommand: CamerasListCommand.self)
}
