import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct DeviceTwinRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a twin that was made. The device's own twin stays.",
        discussion: "  cardea twins remove porch-light")

    @Argument(help: "The twin, by id, device or name.")
    var twin: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let twin = try await context.twin(twin)
        let request = OutboxOperation.Request.removeTwin(id: twin.id, name: twin.name)
        try await context.sendOrQueue(request, waiting: "\(twin.name) is removed if the house can be reached within a day.") {
            client, key in
            try await client.twins.remove(twin.id, key: key)
            return ["twin_id": twin.id]
        } text: { _ in
            "Removed: \(twin.name)."
        }
    }
}
