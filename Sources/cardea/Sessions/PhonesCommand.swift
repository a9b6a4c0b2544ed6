import ArgumentParser

struct PhonesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phones", abstract: "Phones that act for you: list, rename, remove, and those that wait.",
        subcommands: [
            PhonesListCommand.self, PhoneRenameCommand.self, PhoneRemoveCommand.self, PhonesWaitingCommand.self, PhoneRejectCommand.self,
        ], defaultSubcommand: PhonesListCommand.self)
}
