import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct AccessListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Everything that you, or somebody you manage, set up lately.",
        discussion: """
              cardea access
              cardea access list --person Ben
            """)

    @OptionGroup var person: PersonOption
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.accessChanges(of: person.id(context.client())))
        let (answer, clock) = (look.answer, try await context.clock(look))
        try await context.output.show(look) {
            guard !answer.changes.isEmpty else { return "Nothing was set up in the last \(answer.days) days that could open or listen." }
            let rows = answer.changes.map { change in
                [change.thing.text, change.name, change.isOn ? "on" : "off", clock.short(change.changedAt), change.id]
            }
            return Table("WHAT", "NAME", "IS", "CHANGED", "ID", rows: rows).text(context.output)
        }
    }
}

/// Options for the person whose list is shown.
struct PersonOption: ParsableArguments {
    @Option(help: "Somebody you manage, by id or name. Left out, it is you.")
    var person: String?

    func id(_ client: CardeaClient) async throws -> String? {
        guard let person else { return nil }
        return try NameResolver.resolve(
            person, among: await client.people.list().people, what: "person", ids: { [$0.personID] }, name: \.name
        )
        .personID
    }
}

extension AccessResourceKind {
    var text: String { rawValue.replacing("_", with: " ") }
}
