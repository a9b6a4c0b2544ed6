import ArgumentParser
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look whether a house is whole, without serving it.",
        discussion: """
            Exits 0 when the database is whole, its key opens it and every entry of the audit trail is as it was written, else 1 with
            what is wrong. Of the audit trail the first wrong entry is named.
            """)

    @Option(help: ArgumentHelp("The folder that holds the house.", valueName: "folder"))
    var data = "./house"

    @Flag(help: "Print one line of JSON: ok, problems.")
    var json = false

    func run() async throws {
        guard FileManager.default.fileExists(atPath: URL(filePath: data).appending(path: "house.sqlite").path) else {
            throw ValidationError("There is no house in \(data).")
        }
        let folder = try HouseFolder(at: data)
        let store = try Store(folder: folder.url)
        var problems = try await store.integrityProblems()
        problems += try await keyProblems(folder, store)
        try store.close()
        if json {
            let line = try JSONEncoder().encode(Report(ok: problems.isEmpty, problems: problems))
            print(String(decoding: line, as: UTF8.self))
        } else {
            print(problems.isEmpty ? "The house in \(data) is whole." : problems.joined(separator: "\n"))
        }
        withExtendedLifetime(folder) {}
        if !problems.isEmpty { throw ExitCode.failure }
    }

    /// Whether the key is there, and is this house's: it opens what was sealed with it, the whole audit trail too.
    private func keyProblems(_ folder: HouseFolder, _ store: Store) async throws -> [String] {
        do {
            guard let key = try KeyFile.existing(at: folder.key) else {
                return ["The house's key \(folder.key.path) is missing. Restore it from a backup, beside house.sqlite."]
            }
            guard try await Hub.opens(store, with: key) else {
                return ["The key \(folder.key.path) is another house's. Put back the hub.key that belongs to this house.sqlite."]
            }
            return try await AuditVerification.problem(in: store, sealing: key).map { [$0] } ?? []
        } catch let problem as KeyFileProblem {
            return ["\(problem)"]
        }
    }

    private struct Report: Encodable {
        let ok: Bool
        let problems: [String]
    }
}
