import ArgumentParser
import CardeaAPI
import CardeaClient
import Foundation

struct PersonExportCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Take away all that the house keeps of you, in a ZIP archive.",
        discussion: """
            Takes a step-up (`cardea step-up`), and is on record. Open index.html in it first; manifest.json names every file, signed by the
            house. An owner may do it for somebody else, and hand it over.

              cardea privacy export me.zip
              cardea privacy export ben.zip --person ben
            """)

    @Argument(help: "The file to write.", completion: .file())
    var file: String
    @Option(help: "Somebody else, by id or whole name.")
    var person: String?
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let id: String
        if let person {
            id = try await client.person(person, exactly: "cardea privacy export").personID
        } else {
            id = try await client.people.me().personID
        }
        let job = try await sitting.output.waiting(for: "Packing") {
            let job = try await client.end(of: try await client.privacy.export(id))
            try await client.privacy.archive(of: job.jobID, to: URL(filePath: file))
            return job
        }
        try await sitting.output.show(job) { "Written to \(file). Open index.html in it first." }
    }
}
