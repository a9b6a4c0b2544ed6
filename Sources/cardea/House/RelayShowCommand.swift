import ArgumentParser
import CardeaClient

struct RelayShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the relay of this house.", discussion: "  cardea relay")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let relays = context.routes.routes(to: try context.client().hub).relays
        try await context.output.show(RelayAnswer(relays: relays.map(\.description))) {
            relays.isEmpty ? "This house has no relay." : relays.map(\.description).joined(separator: "\n")
        }
    }
}

/// The `--json` output.
struct RelayAnswer: Encodable {
    let relays: [String]
}
