import ArgumentParser

struct PhonesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phones", abstract: "List, rename and remove paired phones, and list or reject waiting ones.",
        subcommands: [
            PhonesListCommand.self, PhoneRenameCommand.self, PhoneRemoveCommand.self, PhonesWaitingCommand.self, PhoneRejectCommand.self,
        ], defaultSubcommand: PhonesListCommand.self)
}
