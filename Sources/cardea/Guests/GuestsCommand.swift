import ArgumentParser

struct GuestsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guests", abstract: "Let somebody in, see what they did, take it back.",
        subcommands: [
            GuestsListCommand.self, GuestInviteCommand.self, GuestShowCommand.self, GuestCodeCommand.self, GuestsAsksCommand.self,
            GuestApproveCommand.self, GuestRejectCommand.self, GuestSuspendCommand.self, GuestResumeCommand.self,
            GuestRevokeCommand.self, GuestsRevokeAllCommand.self, GuestExportCommand.self, GuestEraseCommand.self,
        ],
        defaultSubcommand: GuestsListCommand.self)
}
