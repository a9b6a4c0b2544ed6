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

    func run(in sitting: Sitting) async throws {
        let hub = try sitting.client().hub
        guard sitting.pins.pins(at: hub) != nil else {
            throw Failure.usage("A relay is for a house that is known by its key. Sign in with --pin; the hub prints it when it starts.")
        }
        guard let relay = HubRoute(.relay, to: try HubAddress(url.contains("://") ? url : "https://\(url)")) else {
            throw Failure.usage("A relay's address begins with https://")
        }
        do {
            try await sitting.transport.knock(at: hub, by: relay)
        } catch TransportFailure.untrusted {
            throw Failure.refused("untrusted_relay", "Who answers at \(relay) does not hold the house's key. Nothing was changed.")
        } catch {
            sitting.output.note("Nobody answers at \(relay) just now. It is kept all the same.")
        }
        var ways = sitting.routes.ways(to: hub)
        ways.relays = [relay]
        sitting.routes.set(ways, to: hub)
        try await sitting.file.update { $0.keep(sitting.routes) }
        try await sitting.output.show(RelayAnswer(relays: [relay.description])) { "\(relay) is tried when the house is not nearby." }
    }
}
