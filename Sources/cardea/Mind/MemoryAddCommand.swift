import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct MemoryAddCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Have the house remember something.",
        discussion: """
            Whatever you tell the house, everybody who lives here can read. Codes and secrets do not belong there.

              cardea memory add "The boiler was serviced in May" --tag heating --device boiler
              cardea memory add "The bins go out on Tuesday" --kind procedural --pin
            """)

    @Argument(help: "What it is to remember.")
    var words: [String]
    @Option(help: ArgumentHelp("episodic happened once, semantic is so, procedural goes so.", valueName: "kind"))
    var kind: MemoryType = .semantic
    @Option(help: ArgumentHelp("A word to find it by; may be given several times.", valueName: "word"))
    var tag: [String] = []
    @Option(help: ArgumentHelp("A device it is about, by its id; may be given several times.", valueName: "device"))
    var device: [String] = []
    @Flag(help: "Keep it whatever happens.")
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
        case .queued(let entry): try await context.showQueued(entry) { "It is told to the house when that can be reached." }
        }
    }

    private func show(_ answer: RememberedAnswer, _ context: CommandContext) async throws {
        try await context.output.show(answer) { "I remember it: \(answer.memory.content)  \(context.output.dim(answer.memoryID))" }
    }
}
