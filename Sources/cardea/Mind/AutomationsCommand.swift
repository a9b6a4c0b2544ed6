import ArgumentParser

struct AutomationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "automations", abstract: "What the house does by itself: list, add, switch, try.",
        subcommands: [
            AutomationsListCommand.self, AutomationShowCommand.self, AutomationAddCommand.self, AutomationOnCommand.self,
            AutomationOffCommand.self, AutomationRemoveCommand.self, AutomationHistoryCommand.self, AutomationTryCommand.self,
        ], defaultSubcommand: AutomationsListCommand.self)
}
