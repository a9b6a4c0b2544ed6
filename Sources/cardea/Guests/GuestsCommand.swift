import ArgumentParser

struct GuestsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guests", abstract: "Invite guests, approve them, and suspend or revoke their passes.",
        subcommands: [
            GuestsListCommand.self, GuestInviteCommand.self, GuestShowCommand.self, GuestNewCodeCommand.self, GuestsWaitingCommand.self,
            GuestApproveCommand.self, GuestRejectCommand.self, GuestSuspendCommand.self, GuestResumeCommand.self,
            GuestRevokeCommand.self, GuestsRevokeAllCommand.self, GuestExportCommand.self, GuestEraseCommand.self,
        ],
        defaultSubcommand: GuestsListCommand.self)
}
