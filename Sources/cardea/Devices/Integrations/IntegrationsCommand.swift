import ArgumentParser

struct IntegrationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "integrations", abstract: "List, find and configure integrations.",
        subcommands: [
            IntegrationsListCommand.self, IntegrationsNearbyCommand.self, IntegrationsMQTTCommand.self, IntegrationsCheckCommand.self,
            IntegrationsCodeCommand.self, IntegrationsHomeAssistantCommand.self,
        ], defaultSubcommand: IntegrationsListCommand.self)
}
