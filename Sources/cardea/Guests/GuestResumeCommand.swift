import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestResumeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume a suspended pass.",
        discussion: "  cardea guests resume Plumber")

    @Argument(help: "The guest, by id or full name.", completion: .guests)
    var guest: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let answer = try await client.guests.decide(.resume, about: client.guest(guest, exactly: "cardea guests resume").guestID)
        try await context.output.show(answer) { "\(answer.name)'s pass is resumed." }
    }
}
