import ArgumentParser

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "The things in the house: list, show, control, mark ways in, merge, replace.",
        subcommands: [
            DevicesListCommand.self, DeviceShowCommand.self, DeviceControlCommand.self, DeviceWayInCommand.self, DeviceMergeCommand.self,
            DeviceReplaceCommand.self,
        ],
        defaultSubcommand: DevicesListCommand.self)
}
