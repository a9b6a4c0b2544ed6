import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation

struct GuestExportCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export all data of a guest as a ZIP archive.",
        discussion: """
            For your own guests; owners can export every guest. Needs `cardea step-up` first, and is written to the audit log. Give the
            archive to the guest: index.html is the start page, and manifest.json lists every file and is signed by the house.

              cardea guests export Plumber plumber.zip
            """)

    @Argument(help: "The guest, by id or full name.", completion: .guests)
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
            "Saved to \(file): all data of \(guest.name). Give it to them; its start page is index.html."
        }
    }
}
