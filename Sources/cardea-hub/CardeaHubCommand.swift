import ArgumentParser
import CardeaStore
import Foundation

@main
struct CardeaHubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cardea-hub", abstract: "Run and maintain the hub of a Cardea house.",
        discussion: """
            Start the hub and open the link it prints to become the owner:

              cardea-hub serve --data ./house --virtual-house --insecure-http

            Or try a demo house that is deleted when you stop it:

              cardea-hub demo
            """,
        version: version,
        subcommands: [
            ServeCommand.self, DemoCommand.self, CheckCommand.self, AuditCommand.self, BackupCommand.self, RestoreCommand.self,
            RecoveryKeyCommand.self, KeyCommand.self,
            ClockCommand.self,
            ImportHistoryCommand.self,
        ])

    static func main() async {
        CoreDumps.forbid()
        FileSizeLimit.ignoreSignal()
        do {
            var command = try await asyncParseAsRoot(nil)
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch {
            exit(withError: withReadableText(error))
        }
    }

    /// Replaces errors of the disk and database by readable text that helps to fix them. Other errors stay as they are.
    private static func withReadableText(_ error: any Error) -> any Error {
        if let words = Store.databaseMessage(error) { return DiskError(description: words) }
        guard let error = error as? CocoaError else { return error }
        return DiskError(description: [error.filePath, error.localizedDescription].compactMap(\.self).joined(separator: ": "))
    }

    private struct DiskError: Error, CustomStringConvertible {
        let description: String
    }

    /// The version of this program, also recorded in its backups.
    static let version = "0.1.0"
}
