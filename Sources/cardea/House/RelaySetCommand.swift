import ArgumentParser
import CardeaClient

struct RelaySetCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set the relay of this house. It replaces the previous one.",
        discussion: """
            A relay forwards traffic that it cannot read: TLS ends at the hub, and its key is checked as usual. See docs/operations.md.

              cardea relay set https://relay.example:8443
            """)

    @Argument(help: "The address of the relay: https://relay.example:8443.")
    var url: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let hub = try context.client().hub
        guard context.pins.pins(at: hub) != nil else {
            throw CommandLineError.usage(
                "A relay needs the house's key. Sign in with --pin; the hub prints the key when it starts.")
        }
        guard let relay = HubRoute(.relay, to: try HubAddress(url.contains("://") ? url : "https://\(url)")) else {
            throw CommandLineError.usage("The address of a relay must begin with https://")
        }
        do {
            try await context.transport.probe(at: hub, by: relay)
        } catch TransportError.untrusted {
            throw CommandLineError.refused("untrusted_relay", "The server at \(relay) does not have the house's key. Nothing was changed.")
        } catch {
            context.output.note("\(relay) does not answer now. It is saved anyway.")
        }
        var ways = context.routes.routes(to: hub)
        ways.relays = [relay]
        context.routes.set(ways, to: hub)
        try await context.credentialStore.update { $0.updateRoutes(context.routes) }
        try await context.output.show(RelayAnswer(relays: [relay.description])) {
            "\(relay) is used when the house is not on this network."
        }
    }
}
