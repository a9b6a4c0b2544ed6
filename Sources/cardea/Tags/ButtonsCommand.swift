import ArgumentParser

struct ButtonsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "buttons", abstract: "One thing at a touch: list, press, add, change, key, remove, regenerate.",
        subcommands: [
            ButtonsListCommand.self, ButtonPressCommand.self, ButtonAddCommand.self, ButtonChangeCommand.self,
            ButtonKeyCommand.self, ButtonRemoveCommand.self, ButtonRegenerateCommand.self,
        ],
        defaultSubcommand: ButtonsListCommand.self)
}
