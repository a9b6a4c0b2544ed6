import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestsRevokeAllCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke-all", abstract: "Revoke all passes, permanently and at once.",
        discussion: "  cardea guests revoke-all --yes")

    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        try context.prompt.confirm("Revoke all passes?", beforehand: yes)
        let answer = try await client.guests.revokeAll()
        try await context.output.show(answer) {
            answer.revoked == 1 ? "One pass is revoked." : "\(answer.revoked) passes are revoked."
        }
    }
}
