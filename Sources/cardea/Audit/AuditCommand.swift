import ArgumentParser

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Who did what, and that the record of it was not altered.",
        discussion: """
            The house signs once a minute how its record stands. This terminal keeps what it saw signed, and tells with every look at the
            house when the record was put back, cut or written anew since.

              cardea audit --person Ada --result refused
              cardea audit check
              cardea audit export audit.jsonl
              cardea audit verify audit.jsonl
            """,
        subcommands: [
            AuditListCommand.self, AuditCheckCommand.self, AuditProofCommand.self, AuditExportCommand.self, AuditVerifyCommand.self,
        ],
        defaultSubcommand: AuditListCommand.self)
}
