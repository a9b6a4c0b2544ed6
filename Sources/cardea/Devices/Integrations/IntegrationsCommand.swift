import ArgumentParser

struct IntegrationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "integrations", abstract: "What the house is connected to, and what it could be.",
        subcommands: [
            IntegrationsListCommand.self, IntegrationsNearbyCommand.self, IntegrationsMQTTCommand.self, IntegrationsCheckCommand.self,
            IntegrationsCodeCommand.self, IntegrationsHomeAssistantCommand.self,
        ], defaultSubcommand: IntegrationsListCommand.self)
}
