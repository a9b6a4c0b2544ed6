import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct AuditProofCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "proof", abstract: "That one entry is in the record that the house signed.",
        discussion: """
            The path from the entry to the signed root is verified here, by the house's key as it was seen first. With --json all of it is
            printed, for somebody else to verify (RFC 9162, C2SP signed-note).

              cardea audit proof 17
            """)

    @Argument(help: "The entry's number, as `cardea audit` shows it.")
    var entry: Int
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard entry > 0 else { throw ValidationError("Entries are counted from 1.") }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let answer = try await client.audit.proof(of: entry)
        let key = try await context.replicaIfAvailable(of: client)?.lastAuditReport()?.key
        guard answer.entry.id == entry, answer.isProven(by: key) else {
            throw CommandLineError.refused("audit_unproven", "What the house shows does not prove entry \(entry).")
        }
        let clock = try await context.clock(client)
        try await context.output.show(answer) {
            "Entry \(entry) is in the record, under the root of \(answer.checkpoint.size) entries that the house signed "
                + "\(clock.spoken(answer.checkpoint.at)).\n\(answer.told)"
        }
    }
}
