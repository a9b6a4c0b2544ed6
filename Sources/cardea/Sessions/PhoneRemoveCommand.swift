import ArgumentParser
import CardeaAPI
import CardeaClient

struct PhoneRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a phone of yours off, or all of them; it is refused at once.",
        discussion: """
              cardea phones remove "Hall tablet"
              cardea phones remove --all
            """)

    @Argument(help: "The phone, by id or name.")
    var phone: String?
    @Flag(help: "Every phone of yours.")
    var all = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (phone != nil) != all else { throw ValidationError("Say which phone, or --all for every one of yours.") }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        guard let phone else {
            let count = try await client.phones.removeAll()
            let words = count == 0 ? "No phone acted for you." : count == 1 ? "One phone is taken off." : "\(count) phones are taken off."
            return try await context.output.show(RevokedPhonesAnswer(revokedCount: count)) { words }
        }
        let meant = try NameResolver.resolve(
            phone, among: await client.phones.list(), what: "phone", ids: { [$0.deviceID] }, name: \.deviceName,
            exactly: "cardea phones remove")
        try await client.phones.remove(meant.deviceID)
        try await context.output.show(meant) { "\(TextWidth.printable(meant.deviceName)) is taken off." }
    }
}
