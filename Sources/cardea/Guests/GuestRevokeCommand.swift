import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct GuestRevokeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a pass, permanently and at once.",
        discussion: """
            If the house cannot be reached, the change is queued and sent first on the next connection. Until then, the pass works.

              cardea guests revoke Plumber
            """)

    @Argument(help: "The guest, by id or full name.", completion: .guests)
    var guest: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        try await GuestWithdrawal(kind: .revoke, context: context).withdraw(guest, command: "cardea guests revoke") {
            "\($0.name)'s pass is revoked. It opens nothing now."
        }
    }
}
