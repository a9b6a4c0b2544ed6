import ArgumentParser
import CardeaBackup
import CardeaHub
import CardeaSecurity
import Foundation

struct RestoreBackup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a house back from a backup.",
        discussion: """
            Refused while a hub serves the house. The backup is opened and verified whole beside the folder first; then the two change places in one
            step, and the house as it was is kept as FOLDER.before-TIME.

            Nothing that was taken back since comes to life again: every session, phone, passkey, recovery code and token for programs ends, passes
            are paused until somebody resumes them and hands out a new link, people are switched off until the owner lets them in again, automations
            are off, and a tag that proves its touches must be touched once by somebody who may change settings. The owner comes in with the
            password of then.
            """)

    @Option(help: ArgumentHelp("The folder that is to hold the house. There may be one already.", valueName: "folder"))
    var data = "./house"

    @Option(help: ArgumentHelp("The backup.", valueName: "file"))
    var from: String

    @Option(help: ArgumentHelp("A file with the recovery key as it was written down, - for standard input.", valueName: "file"))
    var recoveryKeyFile: String?

    @Option(help: ArgumentHelp("A file with the passphrase, - for standard input.", valueName: "file"))
    var passphraseFile: String?

    @Option(help: ArgumentHelp("Where the backup knows several owners: the user name of the one who comes in first.", valueName: "name"))
    var owner: String?

    @Flag(help: "Print one line of JSON: made_at, before, and what was ended.")
    var json = false

    func validate() throws {
        guard (recoveryKeyFile == nil) != (passphraseFile == nil) else {
            throw ValidationError("Name the key: --recovery-key-file or --passphrase-file.")
        }
    }

    func run() async throws {
        let folder = URL(filePath: data, directoryHint: .isDirectory)
        // Held until the end: nobody begins to serve the house meanwhile.
        let lock = FileManager.default.fileExists(atPath: folder.path) ? try HouseFolder(at: data) : nil
        let opener: Restore.Opener
        if let recoveryKeyFile {
            opener = .recovery(try PaperKey.read(recoveryKeyFile))
        } else {
            opener = .passphrase(try SecretFile.line(of: passphraseFile ?? "-"))
        }
        let outcome = try await Restore(from: URL(filePath: from), into: folder, at: Date()).run(with: opener, owner: owner)
        withExtendedLifetime(lock) {}
        if json { try Report(outcome).print() } else { tell(outcome) }
    }

    private func tell(_ outcome: Restore.Outcome) {
        let report = outcome.report
        print("The house in \(data) is the one of \(outcome.madeAt.formatted(.iso8601)).")
        if let before = outcome.before { print("As it was before, it lies in \(before.path).") }
        if let owner = report.owner {
            print("\(owner) comes in with the password of then. Choose another one if it has been told to somebody since.")
        }
        print(
            """
            Ended: \(report.sessions) sessions, \(report.phones) phones, \(report.programs) tokens for programs, \(report.passkeys) passkeys, \
            \(report.recoveryCodes) recovery codes.
            To be looked at again: \(report.people) people, \(report.passes) passes, \(report.tags) tags, \(report.automations) automations.
            """)
    }

    private struct Report: Encodable {
        let madeAt: String
        let before: String?
        let ended: Restoration.Report

        init(_ outcome: Restore.Outcome) {
            (madeAt, before, ended) = (outcome.madeAt.formatted(.iso8601), outcome.before?.path, outcome.report)
        }

        func print() throws {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            encoder.outputFormatting = .sortedKeys
            Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
        }
    }
}
