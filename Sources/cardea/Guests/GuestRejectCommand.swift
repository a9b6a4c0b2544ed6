import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestRejectCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Say no to a guest who waits.",
        discussion: """
              cardea guests reject Plumber
              cardea guests reject Plumber --number 4821
            """)

    @Argument(help: "The guest, by id or whole name.", completion: .guests)
    var guest: String
    @Option(help: "The number that the phone shows, where it asks for the pass.")
    var number: String?
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let answer = try await GuestAsk(client).answer(
            yes: false, for: client.guest(guest, exactly: "cardea guests reject").guestID, number: number)
        try await sitting.output.show(answer) { "You said no to \(answer.name)." }
    }
}
