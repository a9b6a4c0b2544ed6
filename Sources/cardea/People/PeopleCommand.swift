import ArgumentParser

struct PeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "List, invite, change and remove residents.",
        subcommands: [
            PeopleListCommand.self, PersonInviteCommand.self, PersonInvitationLinkCommand.self, PersonChangeCommand.self,
            PersonRemoveCommand.self,
        ],
        defaultSubcommand: PeopleListCommand.self)
}
