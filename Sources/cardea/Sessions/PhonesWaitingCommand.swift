import ArgumentParser
import CardeaAPI
import CardeaClient

struct PhonesWaitingCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "waiting", abstract: "List phones waiting to be confirmed.", discussion: "  cardea phones waiting")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let waiting = try await client.phones.pending()
        try await context.output.show(WaitingPhonesAnswer(pairings: waiting)) {
            guard !waiting.isEmpty else { return "No phones are waiting." }
            let clock = try await context.clock(client)
            let rows = waiting.map { phone in
                [
                    phone.deviceName, phone.deviceModel ?? "", phone.place ?? "", clock.short(phone.createdAt),
                    clock.short(phone.expiresAt),
                    phone.pairingID,
                ]
            }
            return Table("NAME", "MODEL", "FROM", "ASKED", "UNTIL", "ID", rows: rows).text(context.output)
        }
    }
}
