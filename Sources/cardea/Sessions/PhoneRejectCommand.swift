import ArgumentParser
import CardeaAPI
import CardeaClient

struct PhoneRejectCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Reject a waiting phone.", discussion: "  cardea phones reject \"Unknown phone\"")

    @Argument(help: "The waiting phone, by id or name.")
    var phone: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let meant = try NameResolver.resolve(
            phone, among: await client.phones.pending(), what: "waiting phone", ids: { [$0.pairingID] }, name: \.deviceName)
        try await client.phones.reject(meant.pairingID)
        try await context.output.show(meant) { "\(TextWidth.printable(meant.deviceName)) is rejected." }
    }
}
