import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct PeopleListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the residents and their roles.", discussion: "  cardea people")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.people)
        try await context.output.show(look) {
            let clock = try await context.clock(look)
            let rows = look.answer.people.map { person in
                [
                    person.name, PersonText.role(person), person.status.rawValue,
                    person.username ?? "", person.lastSeenAt.map(clock.short) ?? "", person.personID,
                ]
            }
            return Table("NAME", "ROLE", "STATE", "SIGNS IN AS", "LAST SEEN", "ID", rows: rows).text(context.output)
        }
    }
}

extension CardeaClient {
    /// The requested person.
    ///
    /// - Parameter command: the command that asks, if it changes something: then the full name is required, or the id.
    func person(_ wanted: String, exactly command: String? = nil) async throws -> PersonAnswer {
        try NameResolver.person(wanted, among: await people.list().people, exactly: command)
    }
}

extension CommandContext {
    /// The person with this name or id, also without the house.
    func person(_ wanted: String) async throws -> PersonAnswer {
        try NameResolver.person(wanted, among: await query(.people).answer.people)
    }
}

extension NameResolver {
    fileprivate static func person(_ wanted: String, among people: [PersonAnswer], exactly command: String? = nil) throws -> PersonAnswer {
        let ids = { (person: PersonAnswer) in [person.personID] + (person.username.map { [$0] } ?? []) }
        return try resolve(wanted, among: people, what: "person", ids: ids, name: \.name, exactly: command)
    }
}
