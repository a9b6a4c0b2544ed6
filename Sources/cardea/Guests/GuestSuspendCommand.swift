import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct GuestSuspendCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend", abstract: "Suspend a pass. It can be resumed.",
        discussion: """
            If the house cannot be reached, the change is queued and sent first on the next connection. Until then, the pass works.

              cardea guests suspend Plumber
            """)

    @Argument(help: "The guest, by id or full name.", completion: .guests)
    var guest: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        try await GuestWithdrawal(kind: .suspend, context: context).withdraw(guest, command: "cardea guests suspend") {
            "\($0.name)'s pass is suspended. `cardea guests resume` resumes it."
        }
    }
}
