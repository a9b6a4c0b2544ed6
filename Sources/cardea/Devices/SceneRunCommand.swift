import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

struct SceneRunCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a scene, and wait for what each thing says.",
        discussion: """
              cardea scenes run "Good night"

            A scene that opens a door is run only after you said yes, or with --yes.

            Where something was not done, it is named and the exit code is 1; where all one knows is that a thing did not answer, 5.
            """)

    @Argument(help: "The scene, by id or name.", completion: .scenes)
    var scene: String
    @Flag(help: "Also where it opens a door, without being asked.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let scene = try await client.scene(scene)
        let doors = try await client.doors(openedBy: scene)
        if !doors.isEmpty {
            try sitting.prompt.confirm("\(scene.name) opens \(HouseSentence.list(doors)). Run it?", beforehand: yes)
        }
        sitting.output.progress("\(scene.name)…")
        let answer = try await client.scenes.run(scene.sceneID)
        let report = SceneReport(name: scene.name, answer: answer)
        if !report.isDone { throw try report.failure(calling: await client.deviceNames()) }
        try await sitting.output.show(answer) { "\(scene.name): done." }
    }
}

extension CardeaClient {
    /// What is opened by `scene`, by name. The house is asked only where it may be a door.
    fileprivate func doors(openedBy scene: SceneAnswer) async throws -> [String] {
        let opening: Set<Verb> = [.unlock, .open, .press]
        let asked = scene.actions.filter { asked in
            (Verb(rawValue: asked.action) ?? ActionName(asked.action)?.verb).map(opening.contains) ?? false
        }
        guard !asked.isEmpty else { return [] }
        let ids = Set(asked.map(\.deviceID))
        return Door.all(in: try await devices.list().devices).filter { ids.contains($0.device.deviceID) }.map(\.name)
    }
}

/// What came of a scene, thing by thing.
struct SceneReport {
    let name: String
    let answer: BatchAnswer

    private var wrong: [BatchAnswer.Item] { answer.results.filter { $0.status != CommandStatus.confirmed.rawValue } }

    var isDone: Bool { wrong.isEmpty }

    /// A thing that did not answer may have obeyed, so it is told apart from one that certainly did not.
    func failure(calling names: [String: String]) throws -> Failure {
        let isUnknown = wrong.allSatisfy { $0.status == CommandStatus.unknown.rawValue }
        let count = wrong.count == answer.results.count ? "not done" : "\(wrong.count) of \(answer.results.count) not done"
        let lines = wrong.map { "  \(names[$0.deviceID] ?? $0.deviceID): \(Self.why($0))" }
        return Failure(
            status: isUnknown ? .unknown : .refused, code: isUnknown ? "outcome_unknown" : "not_all_done",
            message: (["\(name): \(count)."] + lines).joined(separator: "\n"),
            details: ["batch": try JSONDecoder().decode(JSONValue.self, from: Wire.encode(answer))])
    }

    private static func why(_ item: BatchAnswer.Item) -> String {
        switch item.status {
        case CommandStatus.unknown.rawValue: "not sure it was done; it has not answered"
        case CommandStatus.expired.rawValue: "its turn did not come in time; nothing was sent"
        default: item.message ?? "it could not do it"
        }
    }
}
