import ArgumentParser
import CardeaBackup
import CardeaHub
import CardeaSecurity
import Foundation

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a house from a backup.",
        discussion: """
            Stop the hub first. The backup is decrypted and verified before the folder is replaced in one step. The previous house is kept
            as FOLDER.before-TIME for 30 days.

            So that no revoked access comes back, every session, phone, passkey, recovery code and program token ends. Passes are suspended
            until you resume them and send a new link. People are disabled until the owner enables them. Automations are off. An NTAG 424
            DNA tag must be tapped once by a person who may change settings. The owner signs in with the password from the time of the
            backup.

            A backup is authenticated by a key derived from the recovery key or the passphrase. Backups of older versions are not; they are
            refused with the id of their house, and need --accept-unauthenticated.

            People and guests erased since the backup are erased again when the hub starts. Their ids come from the previous house in the
            folder, and from the list of erasures beside the backup or given with --erasures.
            """)

    @Option(help: ArgumentHelp("The folder to restore to. A house in it is replaced.", valueName: "folder"))
    var data = "./house"

    @Option(help: ArgumentHelp("The backup file.", valueName: "file"))
    var from: String

    @Option(help: ArgumentHelp("A file with the recovery key; - reads standard input.", valueName: "file"))
    var recoveryKeyFile: String?

    @Option(help: ArgumentHelp("A file with the passphrase; - reads standard input.", valueName: "file"))
    var passphraseFile: String?

    @Option(help: ArgumentHelp("The list of erasures, if it is not beside the backup.", valueName: "file"))
    var erasures: String?

    @Option(help: ArgumentHelp("If the backup has several owners: the user name of the owner who signs in first.", valueName: "name"))
    var owner: String?

    @Flag(help: "Restore even if the audit log in the backup is damaged. The damage is written to the audit log.")
    var despiteRecord = false

    @Flag(help: "Restore a backup that is not authenticated, such as one of an older version.")
    var acceptUnauthenticated = false

    @Flag(help: "Print one line of JSON: house_id, authenticated, made_at, before, erasures, and what was ended.")
    var json = false

    func validate() throws {
        guard (recoveryKeyFile == nil) != (passphraseFile == nil) else {
            throw ValidationError("Add the key of the backup: --recovery-key-file or --passphrase-file.")
        }
    }

    func run() async throws {
        let folder = URL(filePath: data, directoryHint: .isDirectory)
        // Held until the end, so that no hub serves the house meanwhile.
        let lock = FileManager.default.fileExists(atPath: folder.path) ? try HouseFolder(at: data) : nil
        let opener: RestoreRunner.UnlockMethod
        if let recoveryKeyFile {
            opener = .recovery(try RecoveryKeyFile.read(recoveryKeyFile))
        } else {
            opener = .passphrase(try SecretFile.passphrase(of: passphraseFile ?? "-"))
        }
        let restore = RestoreRunner(
            from: URL(filePath: from).absoluteURL, erasures: erasures.map { URL(filePath: $0).absoluteURL }, into: folder, at: Date(),
            despiteRecord: despiteRecord, acceptsUnauthenticated: acceptUnauthenticated)
        let outcome = try await restore.run(with: opener, owner: owner)
        withExtendedLifetime(lock) {}
        if json { try Report(outcome).print() } else { printOutcome(outcome) }
    }

    private func printOutcome(_ outcome: RestoreRunner.Outcome) {
        let report = outcome.report
        print("The house in \(data) is restored from \(outcome.madeAt.formatted(.iso8601)). Its id is \(outcome.house).")
        if !outcome.isAuthenticated {
            print("Its backup was not authenticated: make sure that this is your house's id. \(UnauthenticatedBackupWarning.text)")
        }
        if let damage = outcome.damage { print("Its audit log is damaged, which is written to the audit log: \(damage)") }
        if let before = outcome.before {
            print("The previous house is in \(before.path); the hub deletes it after \(ReplacedHouseCleanup.retentionDays) days.")
        }
        if let owner = report.owner {
            print("\(owner) signs in with the password from the time of the backup. Change it if others may know it.")
        }
        print(
            """
            Ended: \(report.sessions) sessions, \(report.phones) phones, \(report.programs) tokens for programs, \(report.passkeys) passkeys, \
            \(report.recoveryCodes) recovery codes.
            To be checked again: \(report.people) people, \(report.passes) passes, \(report.tags) tags, \(report.automations) automations.
            """)
        print(text(outcome.erasures, since: outcome.madeAt))
        if report.erased > 0 { print("Residents and guests erased again when the hub starts: \(report.erased).") }
    }

    /// From where it is known who was erased since, and from when on it is not.
    private func text(_ erasures: RestoreRunner.ErasureSources, since madeAt: Date) -> String {
        if let list = erasures.list, let at = erasures.writtenAt {
            return "Erasures until \(at.formatted(.iso8601)) are known from \(list.path)."
        }
        let none = "There is no list of erasures beside the backup"
        if erasures.house == .read { return "\(none). Later erasures are known from the previous house in \(data)." }
        let words =
            switch erasures.house {
            case .unreadable: "The previous house in \(data) cannot be read. "
            case .another: "\(data) held a different house before the restore. "
            case .none, .read: ""
            }
        return words
            + """
            \(none): people and guests erased since \(madeAt.formatted(.iso8601)) are restored. Restore again with --erasures FILE, \
            or erase them again.
            """
    }

    private struct Report: Encodable {
        let houseId: String
        let authenticated: Bool
        let madeAt: String
        let before: String?
        let erasures: Erasures
        let ended: PostRestoreReconciliation.Report

        struct Erasures: Encodable {
            let list: String?
            let listAt: String?
            let house: String
        }

        init(_ outcome: RestoreRunner.Outcome) {
            (houseId, authenticated) = (outcome.house, outcome.isAuthenticated)
            (madeAt, before, ended) = (outcome.madeAt.formatted(.iso8601), outcome.before?.path, outcome.report)
            let known = outcome.erasures
            erasures = Erasures(list: known.list?.path, listAt: known.writtenAt?.formatted(.iso8601), house: known.house.rawValue)
        }

        func print() throws {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            encoder.outputFormatting = .sortedKeys
            Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
        }
    }
}
