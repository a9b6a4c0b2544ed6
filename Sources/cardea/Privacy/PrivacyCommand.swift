import ArgumentParser

struct PrivacyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "privacy", abstract: "Show, export and erase personal data, and set how long it is kept.",
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
