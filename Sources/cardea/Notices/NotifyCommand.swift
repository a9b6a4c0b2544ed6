import ArgumentParser

struct NotifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify", abstract: "List notifications, and set which ones you get and where.",
        subcommands: [NotifyListCommand.self, NotifySeenCommand.self, NotifySettingsCommand.self, NotifyDevicesCommand.self],
        defaultSubcommand: NotifyListCommand.self)
}
