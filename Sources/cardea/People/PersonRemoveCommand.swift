import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct PersonRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take somebody out of the household; their sessions end at once.",
        discussion: "  cardea people remove ben --yes")

    @Argument(help: "The person, by id or whole name.")
    var person: String
    @Flag(help: "Do not ask whether this is meant.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let person = try await client.person(person, exactly: "cardea people remove")
        try context.prompt.confirm("Take \(person.name) out of the household?", beforehand: yes)
        try await client.people.remove(person.personID)
        let removed = JSONValue.object(["removed": .string(person.personID), "name": .string(person.name)])
        try await context.output.show(removed) { "\(person.name) is out. Their sessions have ended." }
    }
}
