import ArgumentParser

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List, show, control, merge and replace devices, and mark ways in.",
        subcommands: [
            DevicesListCommand.self, DeviceShowCommand.self, DeviceControlCommand.self, DeviceWayInCommand.self, DeviceMergeCommand.self,
            DeviceReplaceCommand.self,
        ],
        defaultSubcommand: DevicesListCommand.self)
}
