import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct PhonesListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your paired phones and when each was last used.", discussion: "  cardea phones")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.phones)
        let phones = look.answer.devices
        try await context.output.show(look) {
            guard !phones.isEmpty else { return "You have no paired phones. Pair one: cardea pair-phone" }
            let clock = try await context.clock(look)
            let rows = phones.map { phone in
                [
                    phone.deviceName, phone.deviceModel ?? "", phone.place ?? "", clock.short(phone.pairedAt),
                    clock.short(phone.lastUsedAt),
                    phone.deviceID,
                ]
            }
            return Table("NAME", "MODEL", "FROM", "PAIRED", "LAST USED", "ID", rows: rows).text(context.output)
        }
    }
}
