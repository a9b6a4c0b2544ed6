import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation

struct GuestExportCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Take away all that the house keeps of a guest, in a ZIP archive to hand over.",
        discussion: """
            For a guest whom you let in, or as an owner anybody's. Takes a step-up (`cardea step-up`), and is on record. The guest opens
            index.html in it first; manifest.json names every file, signed by the house.

              cardea guests export Plumber plumber.zip
            """)

    @Argument(help: "The guest, by id or whole name.", completion: .guests)
    var guest: String
    @Argument(help: "The file to write.", completion: .file())
    var file: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let guest = try await client.guest(guest, exactly: "cardea guests export")
        let job = try await context.output.showingProgress(for: "Packing") {
            let job = try await client.waitForEnd(of: try await client.privacy.export(guest: guest.guestID))
            try await client.privacy.archive(of: job.jobID, to: URL(filePath: file))
            return job
        }
        try await context.output.show(job) {
            "Written to \(file): all that the house keeps of \(guest.name). It is theirs; open index.html in it first."
        }
    }
}
