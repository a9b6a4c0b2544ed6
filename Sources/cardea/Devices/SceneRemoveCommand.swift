import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct SceneRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget a scene. The devices stay as they are.",
        discussion: "  cardea scenes remove \"Good night\"")

    @Argument(help: "The scene, by id or name.", completion: .scenes)
    var scene: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let scene = try await client.scene(scene)
        try await client.scenes.remove(scene.sceneID)
        try await sitting.output.show(scene) { "\(scene.name) is removed." }
    }
}
