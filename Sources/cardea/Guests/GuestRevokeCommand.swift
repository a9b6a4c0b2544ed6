import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct GuestRevokeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take a pass back, for good and at once.",
        discussion: """
            Where the house cannot be reached, it is kept here and told first when it can; until then the pass is good.

              cardea guests revoke Plumber
            """)

    @Argument(help: "The guest, by id or whole name.", completion: .guests)
    var guest: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        try await GuestWithdrawal(kind: .revoke, context: context).withdraw(guest, asking: "cardea guests revoke") {
            "\($0.name)'s pass is taken back. It opens nothing any more."
        }
    }
}
