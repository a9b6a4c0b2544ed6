import ArgumentParser

struct AutomationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "automations", abstract: "List, show, add, switch, try and remove automations.",
        subcommands: [
            AutomationsListCommand.self, AutomationShowCommand.self, AutomationAddCommand.self, AutomationOnCommand.self,
            AutomationOffCommand.self, AutomationRemoveCommand.self, AutomationHistoryCommand.self, AutomationTryCommand.self,
        ], defaultSubcommand: AutomationsListCommand.self)
}
