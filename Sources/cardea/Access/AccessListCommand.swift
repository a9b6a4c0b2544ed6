import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct AccessListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List everything that you, or a person you manage, set up in the last 30 days.",
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
            guard !answer.changes.isEmpty else { return "Nothing that can open or listen was set up in the last \(answer.days) days." }
            let rows = answer.changes.map { change in
                [change.thing.text, change.name, change.isOn ? "on" : "off", clock.short(change.changedAt), change.id]
            }
            return Table("WHAT", "NAME", "IS", "CHANGED", "ID", rows: rows).text(context.output)
        }
    }
}

/// Options for the person whose list is shown.
struct PersonOption: ParsableArguments {
    @Option(help: "A person you manage, by id or name. Default: you.")
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
