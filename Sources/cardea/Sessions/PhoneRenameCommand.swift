import ArgumentParser
import CardeaAPI
import CardeaClient

struct PhoneRenameCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a paired phone.",
        discussion: "  cardea phones rename \"iPhone\" \"Hall tablet\"")

    @Argument(help: "The phone, by id or name.")
    var phone: String
    @Argument(help: "Its new name.")
    var name: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let meant = try NameResolver.resolve(
            phone, among: await client.phones.list(), what: "phone", ids: { [$0.deviceID] }, name: \.deviceName)
        let renamed = try await client.phones.rename(meant.deviceID, to: name)
        try await context.output.show(renamed) {
            "\(TextWidth.printable(meant.deviceName)) is now called \(TextWidth.printable(renamed.deviceName))."
        }
    }
}
