import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestApproveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Say yes to a guest who waits: for their pass, or before a door.",
        discussion: """
              cardea guests approve Plumber
              cardea guests approve Plumber --number 4821
            """)

    @Argument(help: "The guest, by id or whole name.", completion: .guests)
    var guest: String
    @Option(help: "The number that the phone shows, where it asks for the pass.")
    var number: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let answered = try await ApprovalResponder(try context.client()).answer(
            yes: true, to: guest, number: number, by: "cardea guests approve")
        try await answered.show(in: context.output, "yes")
    }
}
