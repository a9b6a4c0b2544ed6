import ArgumentParser

struct InterviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interview", abstract: "Describe your devices in a conversation, and add them to the house.",
        subcommands: [
            InterviewTalkCommand.self, InterviewSayCommand.self, InterviewStatusCommand.self, InterviewConfirmCommand.self,
            InterviewCancelCommand.self,
        ], defaultSubcommand: InterviewTalkCommand.self)
}
