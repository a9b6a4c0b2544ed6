import ArgumentParser
import CardeaClient

struct RelaySetCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Keep a relay for this house, in place of the one before.",
        discussion: """
            A relay passes on what it cannot read: TLS ends at the hub, whose key is looked at as ever. See docs/operations.md.

              cardea relay set https://relay.example:8443
            """)

    @Argument(help: "Its address; https.")
    var url: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let hub = try context.client().hub
        guard context.pins.pins(at: hub) != nil else {
            throw CommandLineError.usage(
                "A relay is for a house that is known by its key. Sign in with --pin; the hub prints it when it starts.")
        }
        guard let relay = HubRoute(.relay, to: try HubAddress(url.contains("://") ? url : "https://\(url)")) else {
            throw CommandLineError.usage("A relay's address begins with https://")
        }
        do {
            try await context.transport.probe(at: hub, by: relay)
        } catch TransportError.untrusted {
            throw CommandLineError.refused("untrusted_relay", "Who answers at \(relay) does not hold the house's key. Nothing was changed.")
        } catch {
            context.output.note("Nobody answers at \(relay) just now. It is kept all the same.")
        }
        var ways = context.routes.routes(to: hub)
        ways.relays = [relay]
        context.routes.set(ways, to: hub)
        try await context.credentialStore.update { $0.updateRoutes(context.routes) }
        try await context.output.show(RelayAnswer(relays: [relay.description])) { "\(relay) is tried when the house is not nearby." }
    }
}
