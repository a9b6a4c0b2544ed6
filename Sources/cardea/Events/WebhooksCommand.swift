import ArgumentParser

struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks", abstract: "List, add and revoke webhooks: URLs at which doorbells and cameras report events.",
        subcommands: [WebhooksListCommand.self, WebhookAddCommand.self, WebhookRevokeCommand.self],
        defaultSubcommand: WebhooksListCommand.self)
}
