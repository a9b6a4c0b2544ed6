import ArgumentParser

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "List, check, prove, export and verify the audit log.",
        discussion: """
            The audit log records who did what. The hub signs its state once a minute. This terminal stores the signed states it has seen,
            and warns if the log was rolled back, cut or rewritten since.

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
