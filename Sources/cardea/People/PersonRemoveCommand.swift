import ArgumentParser
import CardeaClient
import CardeaModel

struct PersonRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take somebody out of the household; their sessions end at once.",
        discussion: "  cardea people remove ben --yes")

    @Argument(help: "The person, by id or name.")
    var person: String
    @Flag(help: "Do not ask whether this is meant.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let id = try await client.personID(person)
        try sitting.prompt.confirm("Take \(person) out of the household?", beforehand: yes)
        try await client.people.remove(id)
        try await sitting.output.show(JSONValue.object(["removed": .string(id)])) { "\(person) is out. Their sessions have ended." }
    }
}
