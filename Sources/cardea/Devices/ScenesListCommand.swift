import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct ScenesListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the scenes and their actions.", discussion: "  cardea scenes")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query {
            try await $0.scenes.list()
        } stored: {
            try await $0.scenes().map { ScenesAnswer(scenes: $0) }
        }
        let answer = look.answer
        try await context.output.show(look) {
            guard !answer.scenes.isEmpty else {
                return "There are no scenes yet. Make one: cardea scenes make \"Good night\" hall-light:off front-door:lock"
            }
            let names = Dictionary(try await context.devices(look).map { ($0.deviceID, $0.name) }, uniquingKeysWith: { first, _ in first })
            let rows = answer.scenes.map { scene in
                let actions = scene.actions.map { "\(names[$0.deviceID] ?? $0.deviceID) \($0.action)" }
                return [scene.name, actions.joined(separator: ", "), scene.sceneID]
            }
            return Table("NAME", "DOES", "ID", rows: rows).text(context.output)
        }
    }
}
