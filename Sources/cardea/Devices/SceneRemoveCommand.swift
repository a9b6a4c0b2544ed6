import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct SceneRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a scene. The devices stay as they are.",
        discussion: "  cardea scenes remove \"Good night\"")

    @Argument(help: "The scene, by id or name.", completion: .scenes)
    var scene: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let scene = try await context.scene(scene)
        guard let replica = try await context.replicaIfAvailable(of: client) else {
            try await client.scenes.remove(scene.sceneID)
            return try await context.output.show(scene) { "\(scene.name) is removed." }
        }
        switch try await replica.remove(scene) {
        case .done: try await context.output.show(scene) { "\(scene.name) is removed." }
        case .queued(let entry):
            try await context.showQueued(entry) { "\(scene.name) is removed when the house can be reached." }
        }
    }
}
