import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct PersonRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a resident. Their sessions end at once.",
        discussion: "  cardea people remove ben --yes")

    @Argument(help: "The person, by id or full name.")
    var person: String
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let person = try await client.person(person, exactly: "cardea people remove")
        try context.prompt.confirm("Remove \(person.name) from the household?", beforehand: yes)
        try await client.people.remove(person.personID)
        let removed = JSONValue.object(["removed": .string(person.personID), "name": .string(person.name)])
        try await context.output.show(removed) { "\(person.name) is removed. Their sessions have ended." }
    }
}
