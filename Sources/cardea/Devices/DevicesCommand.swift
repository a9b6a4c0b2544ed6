import ArgumentParser

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "The things in the house: list, show, control.",
        subcommands: [DevicesListCommand.self, DeviceShowCommand.self, DeviceControlCommand.self],
        defaultSubcommand: DevicesListCommand.self)
}
