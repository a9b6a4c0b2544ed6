import ArgumentParser
import CardeaClient

struct RelayRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget the relay of this house.", discussion: "  cardea relay remove")

    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let hub = try sitting.client().hub
        var ways = sitting.routes.ways(to: hub)
        ways.relays = []
        sitting.routes.set(ways, to: hub)
        try await sitting.file.update { $0.keep(sitting.routes) }
        try await sitting.output.show(RelayAnswer(relays: [])) { "No relay leads to this house." }
    }
}
