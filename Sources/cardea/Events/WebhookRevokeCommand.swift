import ArgumentParser
import CardeaAPI
import CardeaClient

struct WebhookRevokeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a webhook. Its URL is refused from the next report on; what it reported stays.",
        discussion: "  cardea webhooks revoke \"Front door bell\"")

    @Argument(help: "The webhook, by id or name.")
    var webhook: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let meant = try Named.find(
            webhook, among: await client.webhooks.list().webhooks, what: "webhook", ids: { [$0.webhookID] }, name: \.name)
        try await client.webhooks.revoke(meant.webhookID)
        try await sitting.output.show(meant) { "The webhook of \(meant.name) is revoked." }
    }
}
