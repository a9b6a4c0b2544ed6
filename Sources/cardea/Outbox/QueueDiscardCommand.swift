import ArgumentParser
import CardeaClient
import CardeaModel
import CardeaSync

struct QueueDiscardCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard", abstract: "Discard a waiting change, or remove expired ones from the list.",
        discussion: """
              cardea queue discard 5f0c2a91
              cardea queue discard --ended       # all changes that expired or failed
            """)

    @Argument(help: "The entry, by id or the beginning of it.", completion: .queued)
    var id: String?
    @Flag(help: "Remove all changes that expired or failed.")
    var ended = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (id == nil) == ended else { throw ValidationError("Give an id, or add --ended.") }
    }

    func run(in context: CommandContext) async throws {
        let replica = try await context.requiredReplica()
        let entries = try await replica.outboxEntries()
        let meant =
            try id.map {
                [
                    try NameResolver.resolveByID(
                        $0, among: entries, id: \.id, none: "No queued change has that id. `cardea queue` lists them.")
                ]
            } ?? entries.filter(\.isEnded)
        for entry in meant {
            guard try await replica.discard(entry.id) else {
                throw CommandLineError.refused(
                    "may_have_been_sent", "It may have been sent already. Run `cardea sync` to find out.")
            }
        }
        try await context.output.show(JSONValue.object(["discarded": .number(Double(meant.count))])) {
            meant.count == 1 ? "Discarded." : "Discarded: \(meant.count)."
        }
    }
}

extension OutboxEntry {
    var isEnded: Bool {
        if case .ended = status { true } else { false }
    }
}
