import ArgumentParser

struct ButtonsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "buttons", abstract: "List, press, add, change and remove buttons; make keys for them and end their links.",
        subcommands: [
            ButtonsListCommand.self, ButtonPressCommand.self, ButtonAddCommand.self, ButtonChangeCommand.self,
            ButtonNewKeyCommand.self, ButtonRemoveCommand.self, ButtonRevokeLinksCommand.self,
        ],
        defaultSubcommand: ButtonsListCommand.self)
}
