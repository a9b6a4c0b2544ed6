import ArgumentParser
import CardeaClient
import CardeaModel
import CardeaSync

struct QueueDiscardCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard", abstract: "Take back what waits, or strike what was never done.",
        discussion: """
              cardea queue discard 5f0c2a91
              cardea queue discard --ended       # everything that was never done
            """)

    @Argument(help: "The entry, by its id or a beginning of it.", completion: .queued)
    var id: String?
    @Flag(help: "Everything that was never done.")
    var ended = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (id == nil) == ended else { throw ValidationError("Say which by its id, or --ended.") }
    }

    func run(in context: CommandContext) async throws {
        let replica = try await context.requiredReplica()
        let entries = try await replica.outboxEntries()
        let meant =
            try id.map {
                [
                    try NameResolver.resolveByID(
                        $0, among: entries, id: \.id, none: "Nothing with that id waits. `cardea queue` lists what does.")
                ]
            } ?? entries.filter(\.isEnded)
        for entry in meant {
            guard try await replica.discard(entry.id) else {
                throw CommandLineError.refused(
                    "may_have_been_sent", "The house may have heard of it already. Run `cardea sync` to find out.")
            }
        }
        try await context.output.show(JSONValue.object(["discarded": .number(Double(meant.count))])) {
            meant.count == 1 ? "Taken back." : "Taken back: \(meant.count)."
        }
    }
}

extension OutboxEntry {
    var isEnded: Bool {
        if case .ended = status { true } else { false }
    }
}
