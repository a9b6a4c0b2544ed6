import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct WebhookRevokeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a webhook. Its URL stops working at once; its events stay.",
        discussion: "  cardea webhooks revoke \"Front door bell\"")

    @Argument(help: "The webhook, by id or name.")
    var webhook: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let webhooks = try await context.query(.webhooks).answer.webhooks
        let meant = try NameResolver.resolve(webhook, among: webhooks, what: "webhook", ids: { [$0.webhookID] }, name: \.name)
        let waiting = "The URL of \(meant.name) works until the house can be reached. The revocation is then sent first."
        try await context.sendOrQueue(.revokeWebhook(id: meant.webhookID, name: meant.name), waiting: waiting) { client, key in
            try await client.webhooks.revoke(meant.webhookID, key: key)
            return meant
        } text: { _ in
            "The webhook of \(meant.name) is revoked."
        }
    }
}
