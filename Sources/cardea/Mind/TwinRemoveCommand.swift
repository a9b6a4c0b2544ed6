import ArgumentParser
import CardeaAPI
import CardeaClient

struct TwinRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take back what was made of a twin. A device's own twin stays.",
        discussion: "  cardea twins remove porch-light")

    @Argument(help: "The twin, by its id, its device or its name.")
    var twin: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let twin = try await sitting.twin(twin)
        try await sitting.client().twins.remove(twin.id)
        try await sitting.output.show(["twin_id": twin.id]) { "Taken back: \(twin.name)." }
    }
}
