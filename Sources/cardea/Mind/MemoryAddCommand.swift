import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct MemoryAddCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a memory.",
        discussion: """
            All residents can read memories. Do not store codes or secrets in them.

              cardea memory add "The boiler was serviced in May" --tag heating --device boiler
              cardea memory add "The bins go out on Tuesday" --kind procedural --pin
            """)

    @Argument(help: "The text of the memory.")
    var words: [String]
    @Option(
        help: ArgumentHelp(
            "Show only this kind: episodic (an event), semantic (a fact) or procedural (how something is done).", valueName: "kind"))
    var kind: MemoryType = .semantic
    @Option(help: ArgumentHelp("A word to find it by. Can be repeated.", valueName: "word"))
    var tag: [String] = []
    @Option(help: ArgumentHelp("A device that it is about, by id. Can be repeated.", valueName: "device"))
    var device: [String] = []
    @Flag(help: "Never forget it automatically.")
    var pin = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        var body = RememberBody(type: kind, content: words.joined(separator: " "))
        body.tags = tag.isEmpty ? nil : tag
        body.relatedDevices = device.isEmpty ? nil : device
        body.isPinned = pin ? true : nil
        let client = try context.client()
        guard let replica = try await context.replicaIfAvailable(of: client) else {
            return try await show(client.mind.memories.remember(body), context)
        }
        switch try await replica.remember(body) {
        case .done(let answer): try await show(answer, context)
        case .queued(let entry): try await context.showQueued(entry) { "The memory is added when the house can be reached." }
        }
    }

    private func show(_ answer: RememberedAnswer, _ context: CommandContext) async throws {
        try await context.output.show(answer) { "Saved: \(answer.memory.content)  \(context.output.dim(answer.memoryID))" }
    }
}
