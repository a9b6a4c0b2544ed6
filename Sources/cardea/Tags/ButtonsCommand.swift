import ArgumentParser

struct ButtonsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "buttons", abstract: "One thing at a touch: list, press, add, remove, regenerate.",
        subcommands: [
            ButtonsListCommand.self, ButtonPressCommand.self, ButtonAddCommand.self, ButtonRemoveCommand.self,
            ButtonRegenerateCommand.self,
        ],
        defaultSubcommand: ButtonsListCommand.self)
}
