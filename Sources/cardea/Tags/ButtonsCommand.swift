import ArgumentParser

struct ButtonsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "buttons", abstract: "One thing at a touch: list, press, add, key, remove, regenerate.",
        subcommands: [
            ButtonsListCommand.self, ButtonPressCommand.self, ButtonAddCommand.self, ButtonKeyCommand.self,
            ButtonRemoveCommand.self, ButtonRegenerateCommand.self,
        ],
        defaultSubcommand: ButtonsListCommand.self)
}
