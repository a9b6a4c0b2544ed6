import ArgumentParser
import CardeaAPI
import CardeaClient

struct PersonEraseCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase somebody for good: yourself, or as an owner anybody.",
        discussion: """
            Takes a step-up (`cardea step-up`). They are signed out everywhere, the passes they gave end, and all that is theirs goes. The record
            of the doors stays and no longer says who it was. It cannot be taken back; export first what is to be kept.

              cardea privacy erase ben
            """)

    @Argument(help: "The person, by id or whole name.")
    var person: String
    @Flag(help: "Do not ask whether this is meant.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let person = try await client.person(person, exactly: "cardea privacy erase")
        let isOneself = try await client.people.me().personID == person.personID
        try context.prompt.confirm("Erase \(person.name) for good? It cannot be taken back.", beforehand: yes)
        let asked = try await client.privacy.erase(person.personID)
        if isOneself {
            return try await context.output.show(asked) {
                "You are being erased. This terminal is signed out; an owner can see when it is done."
            }
        }
        let job = try await context.output.showingProgress(for: "Erasing") { try await client.waitForEnd(of: asked) }
        try await context.output.show(job) { Self.text(job, of: person.name) }
    }

    /// A summary of the deleted rows and of the data that is kept.
    static func text(_ job: JobAnswer, of name: String) -> String {
        let rows = (job.receipt?.rows ?? [:]).sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
        return (["\(name) is erased. What went:"] + rows + (job.receipt?.kept ?? [])).joined(separator: "\n")
    }
}
