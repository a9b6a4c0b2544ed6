import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestRevokeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take a pass back, for good and at once.",
        discussion: "  cardea guests revoke Plumber")

    @Argument(help: "The guest, by id or whole name.", completion: .guests)
    var guest: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let answer = try await client.guests.decide(.revoke, about: client.guest(guest, exactly: "cardea guests revoke").guestID)
        try await sitting.output.show(answer) { "\(answer.name)'s pass is taken back. It opens nothing any more." }
    }
}
