import ArgumentParser

struct PrivacyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "privacy", abstract: "What the house keeps of you, for how long, taking it away, and being erased.",
        discussion: """
              cardea privacy
              cardea privacy export ada.zip
              cardea privacy keep events=30
              cardea privacy erase ben
            """,
        subcommands: [
            PrivacyShowCommand.self, RetentionCommand.self, RetentionKeepCommand.self, PersonExportCommand.self, PersonEraseCommand.self,
            JobsCommand.self, JobStopCommand.self,
        ],
        defaultSubcommand: PrivacyShowCommand.self)
}
