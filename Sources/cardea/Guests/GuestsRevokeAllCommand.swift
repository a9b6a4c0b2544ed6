import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestsRevokeAllCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke-all", abstract: "Take every pass back, for good and at once.",
        discussion: "  cardea guests revoke-all --yes")

    @Flag(help: "Do not ask whether this is meant.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        try context.prompt.confirm("Take every pass back?", beforehand: yes)
        let answer = try await client.guests.revokeAll()
        try await context.output.show(answer) {
            answer.revoked == 1 ? "One pass is taken back." : "\(answer.revoked) passes are taken back."
        }
    }
}
