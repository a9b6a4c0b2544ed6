import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct PeopleListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Who lives here, and what they may.", discussion: "  cardea people")

    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let answer = try await client.people.list()
        try await sitting.output.show(answer) {
            let clock = try await sitting.clock(client)
            let rows = answer.people.map { person in
                [
                    person.name, PersonWords.role(person), person.status.rawValue,
                    person.username ?? "", person.lastSeenAt.map(clock.short) ?? "", person.personID,
                ]
            }
            return Table("NAME", "ROLE", "STANDS", "SIGNS IN AS", "LAST SEEN", "ID", rows: rows).text(sitting.output)
        }
    }
}

extension CardeaClient {
    /// The person that is meant.
    ///
    /// - Parameter command: the command that asks, where it changes something: then the whole name is wanted, or the id.
    func person(_ wanted: String, exactly command: String? = nil) async throws -> PersonAnswer {
        let people = try await people.list().people
        let ids = { (person: PersonAnswer) in [person.personID] + (person.username.map { [$0] } ?? []) }
        return try Named.find(wanted, among: people, what: "person", ids: ids, name: \.name, exactly: command)
    }
}
