import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestRejectCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Reject a waiting guest.",
        discussion: """
              cardea guests reject Plumber
              cardea guests reject Plumber --number 4821
            """)

    @Argument(help: "The guest, by id or full name.", completion: .guests)
    var guest: String
    @Option(help: "The number on the guest's phone, when it asks for the pass.")
    var number: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let answered = try await ApprovalResponder(try context.client()).answer(
            yes: false, to: guest, number: number, by: "cardea guests reject")
        try await answered.show(in: context.output, "Rejected")
    }
}
