import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct WebhooksListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the webhooks and the last report of each.", discussion: "  cardea webhooks")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.webhooks)
        try await context.output.show(look) {
            guard !look.answer.webhooks.isEmpty else { return "There are no webhooks yet." }
            let clock = try await context.clock(look)
            let rows = look.answer.webhooks.map { webhook in
                [
                    webhook.name, webhook.make, webhook.type, webhook.lastUsedAt.map(clock.short) ?? "never",
                    webhook.refusedCount > 0 ? String(webhook.refusedCount) : "", webhook.webhookID,
                ]
            }
            return Table("NAME", "MAKE", "TYPE", "LAST REPORT", "REFUSED", "ID", rows: rows).text(context.output)
        }
    }
}
