import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation

struct AuditExportCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Take the record away, in a file that proves itself.",
        discussion: """
            Takes a step-up (`cardea step-up`), and is on record itself. Whoever gets the file verifies it without the house. Of a selection
            each entry is proven, and not that nothing was left out. A table (--format csv) proves nothing.

              cardea audit export audit.jsonl
              cardea audit export --device front-door --from 2026-11-01 door.jsonl
              cardea audit export --format csv audit.csv
            """)

    @Argument(help: "The file to write.", completion: .file())
    var file: String
    @Option(help: "json or csv.")
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
        try await context.output.showingProgress(for: "Exporting the record") {
            try await client.audit.export(wanted, to: URL(filePath: file))
        }
        try await context.output.show(Answer(file: file)) {
            format == .json ? "Written to \(file). Anybody can verify it: cardea audit verify \(file)" : "Written to \(file)."
        }
    }
}

extension AuditFormat: ExpressibleByArgument {}
