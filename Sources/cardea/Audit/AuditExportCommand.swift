import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation

struct AuditExportCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export the audit log to a file that others can verify.",
        discussion: """
            Needs `cardea step-up` first, and is written to the audit log itself. `cardea audit verify` verifies the file without the
            house. For a selection, each entry is proven, but not that entries are missing. A table (--format csv) contains no proof.

              cardea audit export audit.jsonl
              cardea audit export --device front-door --from 2026-11-01 door.jsonl
              cardea audit export --format csv audit.csv
            """)

    @Argument(help: "The file to write.", completion: .file())
    var file: String
    @Option(help: "The format: json (with proof) or csv (a table).")
    var format: AuditFormat = .json
    @OptionGroup var choice: AuditFilterOptions
    @OptionGroup var output: OutputOptions

    private struct Answer: Encodable { let file: String }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let filter = try await choice.filter(context)
        var body = AuditExportBody(format: format)
        (body.personID, body.guestID, body.deviceID) = (filter.personID, filter.guestID, filter.deviceID)
        (body.result, body.action, body.from, body.to) = (filter.result, filter.action, filter.from, filter.to)
        let wanted = body
        try await context.output.showingProgress(for: "Exporting the audit log") {
            try await client.audit.export(wanted, to: URL(filePath: file))
        }
        try await context.output.show(Answer(file: file)) {
            format == .json ? "Saved to \(file). To verify it: cardea audit verify \(file)" : "Saved to \(file)."
        }
    }
}

extension AuditFormat: ExpressibleByArgument {}
