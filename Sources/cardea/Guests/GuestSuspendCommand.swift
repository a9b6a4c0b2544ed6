import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct GuestSuspendCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend", abstract: "Pause a pass; it can be resumed.",
        discussion: """
            Where the house cannot be reached, it is kept here and told first when it can; until then the pass is good.

              cardea guests suspend Plumber
            """)

    @Argument(help: "The guest, by id or whole name.", completion: .guests)
    var guest: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        try await GuestWithdrawal(kind: .suspend, context: context).withdraw(guest, asking: "cardea guests suspend") {
            "\($0.name)'s pass is paused. `cardea guests resume` lets it work again."
        }
    }
}
