import ArgumentParser
import CardeaAPI
import CardeaClient

struct ActivityCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity", abstract: "What was asked of the house, by whom, and what came of it.",
        discussion: """
              cardea activity
              cardea activity --guest Plumber --result refused
            """)

    @Option(help: "Only of this guest.")
    var guest: String?
    @Option(help: "Only of this device.")
    var device: String?
    @Option(help: "Only with this outcome: allowed, refused, confirmed, failed, unknown, expired, paired.")
    var result: String?
    @Option(help: "How many.")
    var limit: Int = 30
    @Option(help: "Only what came before this entry, as the last line of a page says.")
    var before: Int?
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let guestID = if let guest { try await client.guest(guest).guestID } else { String?.none }
        let deviceID = if let device { try await client.deviceID(device) } else { String?.none }
        let filter = Access.Filter(limit: limit, before: before, guestID: guestID, deviceID: deviceID, result: result)
        let answer = try await client.access.activity(filter)
        try await sitting.output.show(answer) {
            let table = try await ActivityWords(sitting.clock(client)).table(answer.entries, who: true, sitting.output)
            return table + (answer.nextBefore.map { sitting.output.dim("\nOlder: cardea activity --before \($0)") } ?? "")
        }
    }
}
