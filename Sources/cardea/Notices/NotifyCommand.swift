import ArgumentParser

struct NotifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify", abstract: "What you were told while you looked elsewhere, and what you want to be told.",
        subcommands: [NotifyListCommand.self, NotifySeenCommand.self, NotifySettingsCommand.self, NotifyPlacesCommand.self],
        defaultSubcommand: NotifyListCommand.self)
}
