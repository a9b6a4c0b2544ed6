import ArgumentParser
import CardeaAPI
import CardeaClient

struct CameraRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a camera out. What it saw stays.",
        discussion: "  cardea cameras remove Porch --yes")

    @Argument(help: "The camera, by id or whole name.", completion: .cameras)
    var camera: String
    @Flag(help: "Do not ask whether this is meant.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let meant = try NameResolver.resolve(
            camera, among: await client.cameras.list().cameras, what: "camera", ids: { [$0.cameraID] }, name: \.name,
            exactly: "cardea cameras remove")
        try context.prompt.confirm("Take \(meant.name) out of the house?", beforehand: yes)
        try await client.cameras.remove(meant.cameraID, seen: meant.version)
        try await context.output.show(meant) { "\(meant.name) is removed." }
    }
}
