import ArgumentParser
import CardeaClient

struct RelayRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove the relay of this house.", discussion: "  cardea relay remove")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let hub = try context.client().hub
        var ways = context.routes.routes(to: hub)
        ways.relays = []
        context.routes.set(ways, to: hub)
        try await context.credentialStore.update { $0.updateRoutes(context.routes) }
        try await context.output.show(RelayAnswer(relays: [])) { "This house has no relay." }
    }
}
