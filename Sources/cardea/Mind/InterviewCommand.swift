import ArgumentParser

struct InterviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interview", abstract: "Tell the house what devices there are; it takes them in.",
        subcommands: [
            InterviewTalkCommand.self, InterviewSayCommand.self, InterviewStatusCommand.self, InterviewConfirmCommand.self,
            InterviewCancelCommand.self,
        ], defaultSubcommand: InterviewTalkCommand.self)
}
