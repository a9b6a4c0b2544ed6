import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct SceneRunCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a scene, and wait for every device to confirm.",
        discussion: """
              cardea scenes run "Good night"

            A scene that opens a door asks for confirmation first; --yes skips the question.
            If the house cannot be reached, the scene is queued and sent later, unless it contains a door.

            If an action fails, it is named and the exit code is 1. If a device did not answer, the exit code is 5.
            """)

    @Argument(help: "The scene, by id or name.", completion: .scenes)
    var scene: String
    @Flag(help: "Run it without asking, even if it opens a door.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let scene = try await context.scene(scene)
        let doors = try await context.doors(openedBy: scene)
        if !doors.isEmpty {
            try context.prompt.confirm("\(scene.name) opens \(DoorSummaryText.list(doors)). Run it?", beforehand: yes)
        }
        context.output.progress("\(scene.name)…")
        guard let replica = try await context.replicaIfAvailable(of: client) else {
            return try await show(client.scenes.run(scene.sceneID), of: scene, context)
        }
        do {
            switch try await replica.run(sceneID: scene.sceneID) {
            case .completed(let answer): try await show(answer, of: scene, context)
            case .queued(let entries): try await show(entries, of: scene, context)
            }
        } catch let refusal as OfflineQueueError {
            throw CommandLineError(refusal)
        }
    }

    private func show(_ answer: BatchAnswer, of scene: SceneAnswer, _ context: CommandContext) async throws {
        let report = SceneResult(name: scene.name, answer: answer)
        if !report.isDone { throw try report.failure(calling: await context.deviceNames()) }
        try await context.output.show(answer) { "\(scene.name): done." }
    }

    private func show(_ entries: [OutboxEntry], of scene: SceneAnswer, _ context: CommandContext) async throws {
        let clock = CommandContext.clock(context.credentials)
        try await context.output.show(QueuedAnswers(queued: entries.map(QueueEntryAnswer.init))) {
            let end = entries.compactMap(\.notAfter).min().map { " before \(clock.short($0))" } ?? ""
            let what = entries.map { "  \(QueueEntryText(clock, $0).summary)" }.joined(separator: "\n")
            return
                """
                Queued. It is sent when the house can be reached\(end):\n\(what)\n`cardea queue` lists \
                queued changes.
                """
        }
    }
}

extension CommandContext {
    /// The names of doors that `scene` opens. The house is asked only if an action may open a door.
    fileprivate func doors(openedBy scene: SceneAnswer) async throws -> [String] {
        let opening: Set<Verb> = [.unlock, .open, .press]
        let asked = scene.actions.filter { asked in
            (Verb(rawValue: asked.action) ?? ActionName(asked.action)?.verb).map(opening.contains) ?? false
        }
        guard !asked.isEmpty else { return [] }
        let ids = Set(asked.map(\.deviceID))
        return Door.all(in: try await devices()).filter { ids.contains($0.device.deviceID) }.map(\.name)
    }
}

/// The result of a scene, item by item.
struct SceneResult {
    let name: String
    let answer: BatchAnswer

    private var failedItems: [BatchAnswer.Item] { answer.results.filter { $0.status != CommandStatus.confirmed.rawValue } }

    var isDone: Bool { failedItems.isEmpty }

    /// An item that did not answer may have been done, so it is reported apart from one that certainly was not.
    func failure(calling names: [String: String]) throws -> CommandLineError {
        let isUnknown = failedItems.allSatisfy { $0.status == CommandStatus.unknown.rawValue }
        let count = failedItems.count == answer.results.count ? "not done" : "\(failedItems.count) of \(answer.results.count) not done"
        let lines = failedItems.map { "  \(names[$0.deviceID] ?? $0.deviceID): \(Self.reason($0))" }
        return CommandLineError(
            status: isUnknown ? .unknown : .refused, code: isUnknown ? "outcome_unknown" : "not_all_done",
            message: (["\(name): \(count)."] + lines).joined(separator: "\n"),
            details: ["batch": try JSONDecoder().decode(JSONValue.self, from: WireFormat.encode(answer))])
    }

    private static func reason(_ item: BatchAnswer.Item) -> String {
        switch item.status {
        case CommandStatus.unknown.rawValue: "outcome unknown; the device did not answer"
        case CommandStatus.expired.rawValue: "expired before it was sent"
        default: item.message ?? "failed"
        }
    }
}
