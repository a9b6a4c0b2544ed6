import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestCodeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "code", abstract: "A new link and code for a guest; the old ones are good no longer.",
        discussion: "  cardea guests code Plumber")

    @Argument(help: "The guest, by id or whole name.", completion: .guests)
    var guest: String
    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let answer = try await client.guests.newCode(client.guest(guest, exactly: "cardea guests code").guestID)
        try await sitting.output.show(answer) {
            try await PassCard(link: answer.link, code: answer.pairingCode, codeUntil: answer.pairingExpiresAt)
                .text(sitting.clock(client), qr, sitting.output)
        }
    }
}
