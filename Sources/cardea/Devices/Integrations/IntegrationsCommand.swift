import ArgumentParser

struct IntegrationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "integrations", abstract: "List, find and configure integrations.",
        subcommands: [
            IntegrationsListCommand.self, IntegrationsNearbyCommand.self, IntegrationsMQTTCommand.self,
            IntegrationsCheckAnnouncementCommand.self,
            IntegrationsLockCodeCommand.self, IntegrationsHomeAssistantCommand.self,
        ], defaultSubcommand: IntegrationsListCommand.self)
}
