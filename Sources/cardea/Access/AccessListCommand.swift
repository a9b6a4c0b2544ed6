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

    @OptionGroup var person: SetUpByOption
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let look = try await sitting.look(.accessChanges(of: person.id(sitting.client())))
        let (answer, clock) = (look.answer, try await sitting.clock(look))
        try await sitting.output.show(look) {
            guard !answer.changes.isEmpty else { return "Nothing was set up in the last \(answer.days) days that could open or listen." }
            let rows = answer.changes.map { change in
                [change.thing.words, change.name, change.isOn ? "on" : "off", clock.short(change.changedAt), change.id]
            }
            return Table("WHAT", "NAME", "IS", "CHANGED", "ID", rows: rows).text(sitting.output)
        }
    }
}

/// Whose list it is.
struct SetUpByOption: ParsableArguments {
    @Option(help: "Somebody you manage, by id or name. Left out, it is you.")
    var person: String?

    func id(_ client: CardeaClient) async throws -> String? {
        guard let person else { return nil }
        return try Named.find(person, among: await client.people.list().people, what: "person", ids: { [$0.personID] }, name: \.name)
            .personID
    }
}

extension AccessThing {
    var words: String { rawValue.replacing("_", with: " ") }
}
