import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct SceneRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget a scene. The devices stay as they are.",
        discussion: "  cardea scenes remove \"Good night\"")

    @Argument(help: "The scene, by id or name.", completion: .scenes)
    var scene: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let scene = try await sitting.scene(scene)
        guard let replica = try await sitting.replicaIfOpen(of: client) else {
            try await client.scenes.remove(scene.sceneID)
            return try await sitting.output.show(scene) { "\(scene.name) is removed." }
        }
        switch try await replica.remove(scene) {
        case .done: try await sitting.output.show(scene) { "\(scene.name) is removed." }
        case .queued(let entry): try await sitting.show(entry) { "\(scene.name) is removed here, and there when the house can be reached." }
        }
    }
}
