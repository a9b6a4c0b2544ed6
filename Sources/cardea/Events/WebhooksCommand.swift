import ArgumentParser

struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks", abstract: "URLs by which doorbells and cameras report events: list, add, revoke.",
        subcommands: [WebhooksListCommand.self, WebhookAddCommand.self, WebhookRevokeCommand.self],
        defaultSubcommand: WebhooksListCommand.self)
}
