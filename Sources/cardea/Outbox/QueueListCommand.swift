import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct QueueListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List changes waiting to be sent, and those that expired or failed.",
        discussion: """
            Works without a connection. Commands to doors are never queued.

              cardea queue
              cardea queue --json | jq -r '.entries[] | select(.status == "ended") | .ending.reason'
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let entries = try await context.requiredReplica().outboxEntries()
        let clock = CommandContext.clock(context.credentials)
        try await context.output.show(Answer(entries: entries.map(QueueEntryAnswer.init))) {
            guard !entries.isEmpty else { return "The queue is empty." }
            let rows = entries.map { entry in
                let words = QueueEntryText(clock, entry)
                return [words.summary, clock.short(entry.madeAt), words.until, words.status, String(entry.id.prefix(8))]
            }
            return Table("WHAT", "WISHED", "UNTIL", "STANDS", "ID", rows: rows).text(context.output)
        }
    }

    struct Answer: Encodable {
        let entries: [QueueEntryAnswer]
    }
}

extension CommandContext {
    /// The replica on this machine, for commands that only read it.
    func requiredReplica() async throws -> Replica {
        guard let replica = try await replica(of: client()) else {
            throw CommandLineError.usage("This does not work with a program's token. Sign in: env -u CARDEA_TOKEN_FILE cardea login")
        }
        return replica
    }
}
