import ArgumentParser
import CardeaAPI
import CardeaClient

struct PhoneRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a paired phone, or all of them. Its access ends at once.",
        discussion: """
              cardea phones remove "Hall tablet"
              cardea phones remove --all
            """)

    @Argument(help: "The phone, by id or name.")
    var phone: String?
    @Flag(help: "Remove all your phones.")
    var all = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (phone != nil) != all else { throw ValidationError("Name a phone, or add --all for all of yours.") }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        guard let phone else {
            let count = try await client.phones.removeAll()
            let words = count == 0 ? "You had no paired phones." : count == 1 ? "One phone is removed." : "\(count) phones are removed."
            return try await context.output.show(RevokedPhonesAnswer(revokedCount: count)) { words }
        }
        let meant = try NameResolver.resolve(
            phone, among: await client.phones.list(), what: "phone", ids: { [$0.deviceID] }, name: \.deviceName,
            exactly: "cardea phones remove")
        try await client.phones.remove(meant.deviceID)
        try await context.output.show(meant) { "\(TextWidth.printable(meant.deviceName)) is removed." }
    }
}
