import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestEraseCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase a guest and their data, permanently.",
        discussion: """
            For your own guests; owners can erase every guest. Needs `cardea step-up` first. The pass ends, and the guest's name is removed
            everywhere. Door entries stay in the audit log without the name. This cannot be undone. If another pass has the same name, the
            name stays until that pass is erased too.

              cardea guests erase Plumber
            """)

    @Argument(help: "The guest, by id or full name.", completion: .guests)
    var guest: String
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let guest = try await client.guest(guest, exactly: "cardea guests erase")
        try context.prompt.confirm("Erase \(guest.name) permanently? This cannot be undone.", beforehand: yes)
        let asked = try await client.privacy.erase(guest: guest.guestID)
        let job = try await context.output.showingProgress(for: "Erasing") { try await client.waitForEnd(of: asked) }
        try await context.output.show(job) { PersonEraseCommand.text(job, of: guest.name) }
    }
}
