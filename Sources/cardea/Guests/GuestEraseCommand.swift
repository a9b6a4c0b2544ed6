import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestEraseCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase a guest for good: one whom you let in, or as an owner anybody's.",
        discussion: """
            Takes a step-up (`cardea step-up`). The pass ends, and their name goes from wherever the house wrote it. The record of the doors stays
            and no longer says who it was. It cannot be taken back. A name that another pass bears, too, stays until that one is erased.

              cardea guests erase Plumber
            """)

    @Argument(help: "The guest, by id or whole name.", completion: .guests)
    var guest: String
    @Flag(help: "Do not ask whether this is meant.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let guest = try await client.guest(guest, exactly: "cardea guests erase")
        try context.prompt.confirm("Erase \(guest.name) for good? It cannot be taken back.", beforehand: yes)
        let asked = try await client.privacy.erase(guest: guest.guestID)
        let job = try await context.output.showingProgress(for: "Erasing") { try await client.waitForEnd(of: asked) }
        try await context.output.show(job) { PersonEraseCommand.text(job, of: guest.name) }
    }
}
