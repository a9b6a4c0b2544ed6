import ArgumentParser

struct PeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "Those who live here: list, invite, change, remove.",
        subcommands: [
            PeopleListCommand.self, PersonInviteCommand.self, PersonLinkCommand.self, PersonChangeCommand.self, PersonRemoveCommand.self,
        ],
        defaultSubcommand: PeopleListCommand.self)
}
