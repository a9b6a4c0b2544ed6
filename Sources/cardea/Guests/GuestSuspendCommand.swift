import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestSuspendCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend", abstract: "Pause a pass; it can be resumed.",
        discussion: "  cardea guests suspend Plumber")

    @Argument(help: "The guest, by id or whole name.", completion: .guests)
    var guest: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let answer = try await client.guests.decide(.suspend, about: client.guest(guest, exactly: "cardea guests suspend").guestID)
        try await sitting.output.show(answer) { "\(answer.name)'s pass is paused. `cardea guests resume` lets it work again." }
    }
}
