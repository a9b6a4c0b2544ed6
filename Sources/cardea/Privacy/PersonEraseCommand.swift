import ArgumentParser
import CardeaAPI
import CardeaClient

struct PersonEraseCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase a resident and their data, permanently.",
        discussion: """
            Erases you, or, for owners, any person. Needs `cardea step-up` first. The person is signed out everywhere, their guests' passes
            end, and their data is deleted. Door entries stay in the audit log without the name. This cannot be undone: export the data
            first if it is needed.

              cardea privacy erase ben
            """)

    @Argument(help: "The person, by id or full name.")
    var person: String
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let person = try await client.person(person, exactly: "cardea privacy erase")
        let isOneself = try await client.people.me().personID == person.personID
        try context.prompt.confirm("Erase \(person.name) permanently? This cannot be undone.", beforehand: yes)
        let asked = try await client.privacy.erase(person.personID)
        if isOneself {
            return try await context.output.show(asked) {
                "Your erasure has started. This terminal is signed out; an owner can see when it is complete."
            }
        }
        let job = try await context.output.showingProgress(for: "Erasing") { try await client.waitForEnd(of: asked) }
        try await context.output.show(job) { Self.text(job, of: person.name) }
    }

    /// A summary of the deleted rows and of the data that is kept.
    static func text(_ job: JobAnswer, of name: String) -> String {
        let rows = (job.receipt?.rows ?? [:]).sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
        return (["\(name) is erased. Deleted:"] + rows + (job.receipt?.kept ?? [])).joined(separator: "\n")
    }
}
