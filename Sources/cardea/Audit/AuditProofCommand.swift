import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct AuditProofCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "proof", abstract: "Prove that one entry is in the signed audit log.",
        discussion: """
            Verifies the path from the entry to the signed root, with the house's key as first seen here. With --json, the whole proof is
            printed for others to verify (RFC 9162, C2SP signed-note).

              cardea audit proof 17
            """)

    @Argument(help: "The entry's number, as `cardea audit` shows it.")
    var entry: Int
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard entry > 0 else { throw ValidationError("Give an entry number, 1 or more. `cardea audit` lists the entries.") }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let answer = try await client.audit.proof(of: entry)
        let key = try await context.replicaIfAvailable(of: client)?.lastAuditReport()?.key
        guard answer.entry.id == entry, answer.isProven(by: key) else {
            throw CommandLineError.refused(
                "audit_unproven",
                "The hub's proof of entry \(entry) is not valid. The audit log may have been altered: run `cardea audit check`.")
        }
        let clock = try await context.clock(client)
        try await context.output.show(answer) {
            "Entry \(entry) is in the audit log of \(answer.checkpoint.size) entries that the house signed "
                + "\(clock.spoken(answer.checkpoint.at)).\n\(answer.told)"
        }
    }
}
