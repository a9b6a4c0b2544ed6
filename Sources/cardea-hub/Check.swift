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

    @OptionGroup(title: "The house's key")
    var key: KeyOptions

    @Flag(help: "Print one line of JSON: ok, problems, last_backup, backup_problem, clock_problem, key.")
    var json = false

    func run() async throws {
        guard FileManager.default.fileExists(atPath: URL(filePath: data).appending(path: "house.sqlite").path) else {
            throw ValidationError("There is no house in \(data).")
        }
        let folder = try HouseFolder(at: data)
        let store = try Store(folder: folder.url)
        var problems = try await store.integrityProblems()
        let (keyProblems, protection) = try await keyProblems(folder, store)
        problems += keyProblems
        let backups = try await Backups.state(in: store)
        let clock = try await ClockWatch.standing(store, at: Date())
        try store.close()
        if json {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            let report = Report(
                ok: problems.isEmpty, problems: problems, lastBackup: backups.good?.at.formatted(.iso8601),
                backupProblem: backups.isFailing ? backups.failure?.words : nil, clockProblem: clock.words,
                key: protection.map(KeyReport.init))
            print(String(decoding: try encoder.encode(report), as: UTF8.self))
        } else {
            print(problems.isEmpty ? "The house in \(data) is whole." : problems.joined(separator: "\n"))
            if let protection { print(protection.words) }
            print(backups.words)
            if let words = clock.words { print(words) }
        }
        withExtendedLifetime(folder) {}
        if !problems.isEmpty { throw ExitCode.failure }
    }

    /// Whether the key is there, and is this house's: it opens what was sealed with it, the whole audit trail too.
    private func keyProblems(_ folder: HouseFolder, _ store: Store) async throws -> ([String], KeyProtection?) {
        do {
            let keys = key.keys(of: folder, store)
            let opened = try await keys.open(from: key.keyFrom, changing: false)
            let problems = [try await AuditVerification.problem(in: store, sealing: opened.sealing), try await keys.problem(with: opened)]
            return (problems.compactMap { $0 }, opened.protection)
        } catch let problem as KeyFileProblem {
            return (["\(problem)"], nil)
        } catch let problem as HouseKeyProblem {
            return (["\(problem)"], nil)
        } catch let problem as SystemdCredential.Problem {
            return (["\(problem)"], nil)
        }
    }

    private struct Report: Encodable {
        let ok: Bool
        let problems: [String]
        let lastBackup: String?
        let backupProblem: String?
        let clockProblem: String?
        let key: KeyReport?
    }
}

extension Backups.State {
    fileprivate var words: String {
        let last = good.map { "The last good backup is of \($0.at.formatted(.iso8601))." } ?? "There is no backup yet."
        guard isFailing, let failure else { return last }
        return "\(last) The last try came to nothing: \(failure.words)"
    }
}
