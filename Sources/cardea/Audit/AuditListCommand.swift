import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct AuditListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the entries of the audit log, newest first.",
        discussion: """
              cardea audit
              cardea audit --action login --result refused --from yesterday
            """)

    @OptionGroup var choice: AuditFilterOptions
    @Option(help: "The number of entries to show, 1 to 500.")
    var limit: Int = 30
    @Option(help: "Show only entries before this one; the last line of a page gives the value.")
    var before: Int?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...500).contains(limit) else { throw ValidationError("--limit needs 1 to 500.") }
    }

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.audit(choice.filter(context), limit: limit, before: before))
        let answer = look.answer
        try await context.output.show(look) {
            guard !answer.entries.isEmpty else { return "The audit log has no such entries." }
            let clock = try await context.clock(look)
            let rows = answer.entries.map { entry in
                let what = [entry.action, entry.deviceName ?? entry.deviceID].compactMap { $0 }.joined(separator: " ")
                return [String(entry.id), clock.short(entry.at), ActivityText.actorName(entry), what, ActivityText.outcome(entry)]
            }
            let signed = answer.signedAt.flatMap { at in
                answer.signedSize.map { "\nSigned \(clock.spoken(at)), up to entry \($0)." }
            }
            let older = answer.nextBefore.map { context.output.dim("\nOlder: cardea audit list --before \($0)") }
            return Table("ENTRY", "WHEN", "WHO", "ACTION", "RESULT", rows: rows).text(context.output) + (signed ?? "") + (older ?? "")
        }
    }
}
