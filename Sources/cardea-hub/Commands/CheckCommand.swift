import ArgumentParser
import CardeaBackup
import CardeaHub
import CardeaSecurity
import CardeaStore
import CardeaNetwork
import Foundation

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a house for damage, and warn of problems.",
        discussion: """
            Exits 0 if the database is intact, the house key opens it and every entry of the audit log is unchanged; otherwise prints
            the problems and exits 1. While a hub serves the house, the command asks that hub for its state and does not read the
            database: for a full check, stop the hub first.

            It also warns of low disk space, files owned by another user or readable by others, a backup folder whose disk is not \
            mounted, and a certificate that expires soon.
            """)

    @Option(help: ArgumentHelp("The folder of the house.", valueName: "folder"))
    var data = "./house"

    @OptionGroup(title: "House key")
    var key: KeyOptions

    @Option(
        name: .customLong("tls-certificate"),
        help: ArgumentHelp("Your own certificate, as given to `serve`, to check instead of the hub's.", valueName: "file"))
    var tlsCertificate: String?

    @Flag(help: "Only check that a hub serves the house and answers, as a health check. Exits 1 if not.")
    var served = false

    @Flag(help: "Print one line of JSON: ok, problems, warnings, served, last_backup, backup_problem, clock_problem, key.")
    var json = false

    /// The maximum wait for the hub's answer, in seconds. A hub that is making a backup answers afterwards.
    private static let timeout = 10

    func run() async throws {
        let found = await inspect()
        if json {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            print(String(decoding: try encoder.encode(CheckReport(found)), as: UTF8.self))
        } else {
            print(found.text(of: data).joined(separator: "\n"))
        }
        if !found.problems.isEmpty { throw ExitCode.failure }
    }

    private func inspect() async -> HouseCheckResult {
        var found = HouseCheckResult()
        let folder = URL(filePath: data, directoryHint: .isDirectory)
        guard FileManager.default.fileExists(atPath: folder.appending(path: "house.sqlite").path) else {
            found.problems = ["There is no house in \(data), or this user may not read it. Name its folder with --data."]
            return found
        }
        do {
            if let caller = try HubSocketClient(in: folder) {
                found.isServed = true
                found.state = try await caller.state(within: Self.timeout)
            } else if served {
                found.problems.append("No hub serves the house in \(data).")
            } else {
                try await open(&found)
            }
        } catch let problem as LocalSocket.SocketError {
            let why = "\(problem)".trimmingCharacters(in: ["."])
            found.problems.append("The hub that serves the house does not answer: \(why). Try again; if this persists, read its log.")
        } catch { found.problems.append(Self.text(error)) }
        // A health check cannot wait for a stalled share, and a warning is no answer to it.
        if served { return found }
        found.warnings = HouseFolderCheck.warnings(of: folder) + [certificate(in: folder)].compactMap(\.self)
        if found.state?.authenticatesBackups == false {
            found.warnings.append("Backups are not authenticated. \(UnauthenticatedBackupWarning.text)")
        }
        // A problem is not repeated as a warning.
        found.warnings.removeAll { found.problems.contains($0) }
        return found
    }

    private func certificate(in folder: URL) -> String? {
        let file = tlsCertificate.map { URL(filePath: $0) }
        return CertificateExpiryCheck.warning(
            of: file ?? CertificateExpiryCheck.ownCertificateURL(in: folder), isOwn: file == nil, at: Date())
    }

    /// Opens a house that no hub serves. Findings are recorded up to the point of an error.
    private func open(_ found: inout HouseCheckResult) async throws {
        let folder = try HouseFolder(at: data)
        defer { withExtendedLifetime(folder) {} }
        try Store.requireCurrent(in: folder.url)
        let store = try Store(folder: folder.url)
        found.problems = try await store.integrityProblems()
        var authenticatesBackups: Bool?
        do {
            let keys = key.keys(of: folder, store)
            let opened = try await keys.open(from: key.keyFrom, changing: false)
            let record = try await AuditVerification.problem(in: store, sealing: opened.sealing)
            // The search index refers to the audit log, which reports its missing entries once.
            if record != nil { found.problems.removeAll { $0 == "foreign key: audit_index" } }
            authenticatesBackups = try await BackupRegistry(store: store, sealing: opened.sealing, environment: .real).isAuthenticating()
            found.problems += [record, try await keys.problem(with: opened)].compactMap(\.self)
            found.key = opened.protection
        } catch { found.problems.append(Self.text(error)) }
        found.state = HubSocketStatus(
            try await BackupRegistry.state(in: store), clock: try await ClockMonitor.status(store, at: Date()), house: nil,
            authenticatesBackups: authenticatesBackups)
        try store.close()
    }

    private static func text(_ error: any Error) -> String {
        switch error {
        case let error as ValidationError: error.message
        case let error as SecretStoreError: "The house key cannot be read. \(error)"
        case let error as CocoaError: error.localizedDescription
        default: Store.message(for: error)
        }
    }
}

/// The result of checking a house.
private struct HouseCheckResult {
    /// Existing problems.
    var problems: [String] = []
    /// Problems to expect in the future.
    var warnings: [String] = []
    var isServed = false
    /// The hub's own report; nil if it could not be read.
    var state: HubSocketStatus?
    /// Checked only if no hub serves the house.
    var key: KeyProtection?

    func text(of data: String) -> [String] {
        var lines = problems
        if problems.isEmpty {
            lines.append(
                isServed
                    ? "A hub serves the house in \(data), and answers. For a full check, stop the hub first."
                    : "The house in \(data) is intact.")
        }
        lines += warnings
        if let key { lines.append(key.text) }
        if let state {
            lines.append(
                state.lastBackup.map { "The last good backup was made at \($0.formatted(.iso8601))." } ?? "There is no backup yet.")
            if let problem = state.backupProblem { lines.append("The latest backup failed: \(problem)") }
            if let problem = state.clockProblem { lines.append(problem) }
        }
        return lines
    }
}

private struct CheckReport: Encodable {
    let ok: Bool
    let problems: [String]
    let warnings: [String]
    let served: Bool
    let lastBackup: String?
    let backupProblem: String?
    let clockProblem: String?
    let key: KeyReport?

    init(_ found: HouseCheckResult) {
        ok = found.problems.isEmpty
        (problems, warnings, served) = (found.problems, found.warnings, found.isServed)
        lastBackup = found.state?.lastBackup?.formatted(.iso8601)
        (backupProblem, clockProblem) = (found.state?.backupProblem, found.state?.clockProblem)
        key = found.key.map(KeyReport.init)
    }
}
