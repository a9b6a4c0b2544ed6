import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSecurity
import CardeaSync
import Foundation

struct PersonExportCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export all your data as a ZIP archive.",
        discussion: """
            Needs `cardea step-up` first, and is written to the audit log. In the archive, index.html is the start page, and manifest.json
            lists every file and is signed by the house. Owners can export the data of another person with --person. Unresolved conflicts
            exist only in this terminal: they are written to a file beside the archive.

              cardea privacy export me.zip
              cardea privacy export ben.zip --person ben
            """)

    @Argument(help: "The file to write.", completion: .file())
    var file: String
    @Option(help: "Export the data of this person, by id or full name. Owners only.")
    var person: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let me = try await client.people.me().personID
        let id = if let person { try await client.person(person, exactly: "cardea privacy export").personID } else { me }
        let job = try await context.output.showingProgress(for: "Packing") {
            let job = try await client.waitForEnd(of: try await client.privacy.export(id))
            try await client.privacy.archive(of: job.jobID, to: URL(filePath: file))
            return job
        }
        // These conflicts belong to the signed-in person only.
        let beside = id == me ? try await conflicts(in: context, client) : nil
        try await context.output.show(Answer(job: job, conflictsFile: beside)) {
            let words = "Saved to \(file). Its start page is index.html."
            return beside.map { "\(words) Unresolved conflicts of this terminal are in \($0)." } ?? words
        }
    }

    /// Writes conflicts that await a decision to a file beside the archive, as `cardea conflicts --json` shows them.
    ///
    /// - Returns: the file; nil if there are none.
    private func conflicts(in context: CommandContext, _ client: CardeaClient) async throws -> String? {
        guard let stored = try await context.replicaIfAvailable(of: client)?.conflicts(), !stored.isEmpty else { return nil }
        let beside = URL(filePath: file).deletingPathExtension().appendingPathExtension("conflicts.json")
        let text = try WireFormat.encode(ConflictsListCommand.Answer(conflicts: try stored.map(ConflictAnswer.init)))
        do throws(PrivateFile.FileError) {
            try PrivateFile(beside).replace(with: text)
        } catch {
            throw ClientError(error)
        }
        return beside.path
    }

    /// The job, and the local files of the terminal, which the house does not know.
    private struct Answer: Encodable {
        let job: JobAnswer
        let conflictsFile: String?

        func encode(to encoder: any Encoder) throws {
            try job.encode(to: encoder)
            guard let conflictsFile else { return }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(conflictsFile, forKey: .conflictsFile)
        }

        private enum CodingKeys: String, CodingKey {
            case conflictsFile = "conflicts_file"
        }
    }
}
