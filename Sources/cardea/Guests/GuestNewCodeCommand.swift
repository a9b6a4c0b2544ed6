import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestNewCodeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "code", abstract: "Make a new link and code for a guest. The old ones stop working.",
        discussion: "  cardea guests code Plumber")

    @Argument(help: "The guest, by id or full name.", completion: .guests)
    var guest: String
    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let answer = try await client.guests.newCode(client.guest(guest, exactly: "cardea guests code").guestID)
        try await context.output.show(answer) {
            try await InvitationText(link: answer.link, code: answer.pairingCode, codeUntil: answer.pairingExpiresAt)
                .text(context.clock(client), qr, context.output)
        }
    }
}
