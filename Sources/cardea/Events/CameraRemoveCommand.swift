import ArgumentParser
import CardeaAPI
import CardeaClient

struct CameraRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a camera. Its events stay.",
        discussion: "  cardea cameras remove Porch --yes")

    @Argument(help: "The camera, by id or full name.", completion: .cameras)
    var camera: String
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let meant = try NameResolver.resolve(
            camera, among: await client.cameras.list().cameras, what: "camera", ids: { [$0.cameraID] }, name: \.name,
            exactly: "cardea cameras remove")
        try context.prompt.confirm("Remove \(meant.name)?", beforehand: yes)
        try await client.cameras.remove(meant.cameraID, seen: meant.version)
        try await context.output.show(meant) { "\(meant.name) is removed." }
    }
}
