import ArgumentParser

struct AccessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access", abstract: "What you set up in the last 30 days that can open or listen: list, off, on.",
        discussion: """
            Ending your sessions does not end what was set up in them: integrations, automations, scenes, tokens, passes, buttons, tags, \
            cameras and people. Look through it after somebody else may have been signed in as you.
            """,
        subcommands: [AccessListCommand.self, AccessOffCommand.self, AccessOnCommand.self], defaultSubcommand: AccessListCommand.self)
}
