import ArgumentParser

struct AccessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access", abstract: "List what you set up in the last 30 days that can open or listen, and disable it.",
        discussion: """
            Ending a session does not remove what was set up in it: integrations, automations, scenes, tokens, passes, buttons, tags,
            cameras and people. Check the list if another person may have used your account.
            """,
        subcommands: [AccessListCommand.self, AccessOffCommand.self, AccessOnCommand.self], defaultSubcommand: AccessListCommand.self)
}
