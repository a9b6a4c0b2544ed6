import ArgumentParser
import CardeaAPI
import CardeaClient

struct AccessOffCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Disable an entry of the list.",
        discussion: """
            Integrations, scenes, tokens and tags are removed permanently. Everything else can be enabled again with `cardea access on`.

              cardea access off "Evening lights"
            """)

    @OptionGroup var choice: AccessChangeArgument
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let change = try await choice.change(client)
        try await client.access.setEnabled(change, on: false)
        try await context.output.show(change) { "\(change.name) is \(change.isKeptOff ? "off" : "removed")." }
    }
}

struct AccessOnCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Enable an entry again.", discussion: "  cardea access on \"Evening lights\"")

    @OptionGroup var choice: AccessChangeArgument
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let change = try await choice.change(client)
        try await client.access.setEnabled(change, on: true)
        try await context.output.show(change) { "\(change.name) is on." }
    }
}

/// An entry of the list.
struct AccessChangeArgument: ParsableArguments {
    @Argument(help: "The entry, by id or name.")
    var thing: String
    @OptionGroup var person: PersonOption

    func change(_ client: CardeaClient) async throws -> AccessChangeAnswer {
        try NameResolver.resolve(
            thing, among: await client.access.changes(of: person.id(client)).changes, what: "thing", ids: { [$0.id] }, name: \.name)
    }
}
