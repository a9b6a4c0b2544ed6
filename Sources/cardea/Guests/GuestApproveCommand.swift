import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestApproveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve a waiting guest: for the pass, or at a door.",
        discussion: """
              cardea guests approve Plumber
              cardea guests approve Plumber --number 4821
            """)

    @Argument(help: "The guest, by id or full name.", completion: .guests)
    var guest: String
    @Option(help: "The number on the guest's phone, when it asks for the pass.")
    var number: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let answered = try await ApprovalResponder(try context.client()).answer(
            yes: true, to: guest, number: number, by: "cardea guests approve")
        try await answered.show(in: context.output, "Approved")
    }
}
